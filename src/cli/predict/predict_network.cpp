// `ridge predict MODEL.onnx`: a neural network, layer by layer.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "cli/common/terminal.hpp"
#include "cli/predict/network_reader.hpp"
#include "cli/predict/predict_choices.hpp"
#include "cli/predict/predict_output.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "core/quantity/quantity_text.hpp"
#include "predict/network/layer_times.hpp"
#include "predict/network/layers.hpp"
#include "render/document/network/network_table.hpp"
#include "serialize/network.hpp"

namespace ridge::cli {
namespace {

Result<std::uint64_t> parse_size(std::string_view option, std::string_view text) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size == 0 ||
      size > kLargestCount) {
    return fail(ErrorCode::usage, fmt::format("{}: `{}` is no size", option, text),
                "give a whole number from 1 to 2^53");
  }
  return size;
}

Result<NetworkSizes> sizes_of(const PredictOptions& options) {
  NetworkSizes sizes;
  if (options.batch) {
    const auto batch = parse_size("--batch", *options.batch);
    if (!batch) {
      return tl::make_unexpected(batch.error());
    }
    sizes.batch = *batch;
  }
  for (const std::string& text : options.parameters) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorCode::usage, fmt::format("-D {}: expected NAME=N", text),
                  "NAME is a dimension of the model, or INPUT.AXIS");
    }
    const std::string name = text.substr(0, equals);
    const auto size = parse_size(fmt::format("-D {}", name), text.substr(equals + 1));
    if (!size) {
      return tl::make_unexpected(size.error());
    }
    if (!sizes.named.emplace(name, *size).second) {
      return fail(ErrorCode::usage, fmt::format("-D {} is given twice", name));
    }
  }
  return sizes;
}

/// nullopt: as the machine has it.
Result<std::optional<double>> launch_seconds(const PredictOptions& options) {
  constexpr double kLongest = 1.0;
  constexpr double kShortest = 1e-12;
  if (!options.launch_latency) {
    return std::optional<double>();
  }
  const auto seconds =
      *options.launch_latency == "0" ? 0.0 : parse_seconds(*options.launch_latency);
  if (!seconds || *seconds > kLongest || (*seconds > 0.0 && *seconds < kShortest)) {
    return fail(ErrorCode::usage,
                fmt::format("--launch-latency: `{}` is none", *options.launch_latency),
                "a time of at most a second, such as 2.5us, or 0");
  }
  return seconds;
}

/// Options that say nothing about a network are no typing error to pass over.
Result<void> check_options(const PredictOptions& options) {
  const auto refuse = [](std::string_view option) -> Result<void> {
    return fail(ErrorCode::usage, fmt::format("predict: {} says nothing about a network", option),
                "`ridge predict --help` explains the command.");
  };
  if (options.pipes) {
    return refuse("--pipes");
  }
  if (options.data || options.link || options.duplex || options.overlap) {
    return refuse("--data host with --link, --duplex, --overlap");
  }
  if (auto fine = predict::check_network_precision(options.precision.value_or("")); !fine) {
    return fine;
  }
  return options.latencies.empty() ? Result<void>() : refuse("--latency");
}

}  // namespace

Result<int> predict_network(const PredictOptions& options) {
  if (auto fine = check_options(options); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  const auto choices = prediction_choices(options);
  if (!choices) {
    return tl::make_unexpected(choices.error());
  }
  const auto sizes = sizes_of(options);
  if (!sizes) {
    return tl::make_unexpected(sizes.error());
  }
  const auto launch = launch_seconds(options);
  if (!launch) {
    return tl::make_unexpected(launch.error());
  }
  const std::string& file = options.subjects[0];
  auto graph = read_network(file, *sizes, network_reader_path());
  if (!graph) {
    return tl::make_unexpected(std::move(graph.error()));
  }
  graph->name = std::filesystem::path(file).filename().string();  // its own name says less
  const auto network = predict::layers_of(*graph, {options.precision.value_or(""), options.fuse});
  if (!network) {
    return tl::make_unexpected(network.error());
  }
  const auto targets = changed_targets(options);
  if (!targets) {
    return tl::make_unexpected(targets.error());
  }
  std::vector<NetworkTimes> times;
  for (const TargetMachine& target : *targets) {
    auto one = predict::times_of(*network, target, {choices->basis, *launch});
    if (!one) {
      return tl::make_unexpected(std::move(one.error()));
    }
    times.push_back(std::move(*one));
  }
  return deliver(serialize::write_network(*network, times),
                 render::network_table(*network, times, text_style(stdout, options.ascii)),
                 options);
}

}  // namespace ridge::cli
