#include "cli/predict/predict_choices.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
#include "cli/common/prediction_target.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/projection/what_if.hpp"

namespace ridge::cli {
namespace {

/// One of two words.
template <class E>
Result<std::optional<E>> one_of(std::string_view option, const std::optional<std::string>& word,
                                E first, E second) {
  if (!word) {
    return std::optional<E>{};
  }
  for (const E value : {first, second}) {
    if (*word == to_string(value)) {
      return std::optional(value);
    }
  }
  return fail(ErrorCode::usage, fmt::format("{}: there is no `{}`", option, *word),
              fmt::format("{} or {}", to_string(first), to_string(second)));
}

struct TimeUnit {
  std::string_view text;
  double seconds;
};
constexpr std::array kTimeUnits{TimeUnit{"ns", 1e-9}, TimeUnit{"us", 1e-6}, TimeUnit{"ms", 1e-3},
                                TimeUnit{"s", 1.0}};

std::optional<double> parse_time(std::string_view text) {
  double value = 0.0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || !std::isfinite(value) || value < 0.0) {
    return std::nullopt;
  }
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  for (const TimeUnit& known : kTimeUnits) {
    if (known.text == unit) {
      return value * known.seconds;
    }
  }
  return std::nullopt;
}

Result<void> add_latencies(const PredictOptions& options, predict::PredictionChoices& choices) {
  for (const std::string& text : options.latencies) {
    const auto assignment = predict::parse_assignment(text);
    const auto seconds = assignment ? parse_time(assignment->value) : std::nullopt;
    if (!seconds) {
      return fail(ErrorCode::usage, fmt::format("--latency: `{}` is none", text),
                  "RESOURCE=TIME, such as PCIe=10us or DRAM=90ns");
    }
    choices.latencies[assignment->name] = *seconds;
  }
  return {};
}

Result<void> add_transfer(const PredictOptions& options, predict::PredictionChoices& choices) {
  const std::string data = options.data.value_or("device");
  if (data != "device" && data != "host") {
    return fail(ErrorCode::usage, fmt::format("--data: there is no `{}`", data), "host or device");
  }
  if (data == "host") {
    choices.transfer = {options.link.value_or("PCIe"), options.duplex, options.overlap};
  } else if (options.link || options.duplex || options.overlap) {
    return fail(ErrorCode::usage,
                "--link, --duplex and --overlap say how data of the host come over",
                "add --data host");
  }
  return {};
}

/// A link that none of the machines has is a slip of the pen.
Result<void> check_link(const std::string& wanted, const std::vector<TargetMachine>& targets) {
  std::vector<std::string> known;
  for (const TargetMachine& target : targets) {
    for (const PublishedLink& link : target.figures.links) {
      if (link.name == wanted) {
        return {};
      }
      if (std::find(known.begin(), known.end(), link.name) == known.end()) {
        known.push_back(link.name);
      }
    }
  }
  return fail(ErrorCode::bad_input, fmt::format("--link: no `{}` is known here", wanted),
              known.empty() ? "no link of these machines is known"
                            : fmt::format("known: {}", fmt::join(known, ", ")));
}

/// Measured traffic does not follow the size of a cache, and no cache enters the times of a
/// network.
Result<void> check_changes(const PredictOptions& options) {
  const bool network = !options.subjects.empty() && options.subjects[0].ends_with(".onnx");
  for (const std::string& change : options.what_if) {
    const bool of_cache =
        change.size() > 1 && change[0] == 'L' && change[1] >= '0' && change[1] <= '9';
    if (network && of_cache) {
      return fail(ErrorCode::usage,
                  fmt::format("--what-if: no cache enters the times of a network: `{}`", change),
                  "its layers move their data through the main memory");
    }
    if (!options.kernel && predict::resized_cache(change)) {
      return fail(
          ErrorCode::usage,
          fmt::format("--what-if: traffic that was simulated does not follow `{}`", change),
          "simulate the other caches: ridge run --also big=L1=48K/12,L2=2M/16,... -- PROGRAM");
    }
  }
  return {};
}

}  // namespace

Result<predict::PredictionChoices> prediction_choices(const PredictOptions& options) {
  predict::PredictionChoices choices;
  auto basis = one_of("--basis", options.basis, Basis::theoretical, Basis::sustained);
  if (!basis) {
    return tl::make_unexpected(std::move(basis.error()));
  }
  auto pipes = one_of("--pipes", options.pipes, Pipes::vector, Pipes::matrix);
  if (!pipes) {
    return tl::make_unexpected(std::move(pipes.error()));
  }
  choices.basis = *basis;
  choices.pipes = *pipes;
  choices.cache_aware = options.cache_aware;
  for (const auto add : {add_transfer, add_latencies}) {
    if (auto fine = add(options, choices); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
  }
  return choices;
}

Result<std::vector<TargetMachine>> changed_targets(const PredictOptions& options) {
  if (auto fine = check_changes(options); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  auto targets = find_targets(options.machines());
  if (!targets) {
    return targets;
  }
  if (options.link) {
    if (auto known = check_link(*options.link, *targets); !known) {
      return tl::make_unexpected(std::move(known.error()));
    }
  }
  for (TargetMachine& target : *targets) {
    for (const std::string& change : options.what_if) {
      auto applied = predict::apply_what_if(target, change);
      if (applied) {
        continue;
      }
      Error error = std::move(applied.error());
      if (error.hint.empty()) {
        const auto keys = predict::what_if_keys(target);
        const auto near = nearest_names(change.substr(0, change.find('=')), keys);
        error.hint = fmt::format("{}it has {}",
                                 near.empty() ? "" : fmt::format("did you mean {}? ", near.front()),
                                 fmt::join(keys, ", "));
      }
      return tl::make_unexpected(std::move(error));
    }
  }
  return targets;
}

}  // namespace ridge::cli
