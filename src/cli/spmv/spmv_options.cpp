#include "cli/spmv/spmv_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {
namespace {

constexpr unsigned kMostThreads = 4096;
constexpr unsigned kMostVectors = 64;
constexpr unsigned kMostPowers = 32;

Result<void> check_range(std::string_view option, const std::vector<unsigned>& values,
                         unsigned least, unsigned most) {
  for (const unsigned value : values) {
    if (value < least || value > most) {
      return fail(ErrorCode::usage,
                  fmt::format("spmv: {} {} is outside {} to {}", option, value, least, most));
    }
  }
  return {};
}

Result<std::vector<spmv::Schedule>> schedules_of(const std::vector<std::string>& names) {
  std::vector<spmv::Schedule> schedules;
  for (const std::string& name : names) {
    bool found = false;
    for (const spmv::Schedule schedule : {spmv::Schedule::rows, spmv::Schedule::entries,
                                          spmv::Schedule::block_cyclic, spmv::Schedule::dynamic}) {
      if (name == spmv::name_of(schedule)) {
        schedules.push_back(schedule);
        found = true;
      }
    }
    if (!found) {
      return fail(ErrorCode::usage, fmt::format("spmv: there is no schedule '{}'", name),
                  "It is rows, entries, block-cyclic or dynamic.");
    }
  }
  return schedules;
}

/// "258e6", "1.2G": bytes.
Result<double> traffic_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  constexpr std::array<std::pair<char, double>, 4> kPrefixes = {
      {{'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}}};
  double factor = 1;
  const char* rest = at;
  for (const auto& [prefix, times] : kPrefixes) {
    if (rest != end && *rest == prefix) {
      factor = times;
      ++rest;
      break;
    }
  }
  if (error != std::errc{} || rest != end || !std::isfinite(value) || value <= 0) {
    return fail(ErrorCode::usage, fmt::format("spmv: --traffic {} is no number of bytes", text),
                "Write for instance --traffic 258e6 or --traffic 258M.");
  }
  return value * factor;
}

Result<void> check(const SpmvOptions& options, const std::vector<std::string>& matrices) {
  if (matrices.size() + (options.generate ? 1 : 0) != 1) {
    return fail(
        ErrorCode::usage,
        matrices.empty() ? "spmv: no matrix is named" : "spmv: more than one matrix is named",
        "Name one file, or make a matrix: ridge spmv --generate poisson3d:100");
  }
  if (options.index_bits != 0 && options.index_bits != 32 && options.index_bits != 64) {
    return fail(ErrorCode::usage,
                fmt::format("spmv: --index-bits {} is neither 32 nor 64", options.index_bits));
  }
  return check_range("--threads", options.threads, 1, kMostThreads)
      .and_then([&] { return check_range("--rhs", options.vectors, 2, kMostVectors); })
      .and_then([&] { return check_range("--power", options.powers, 2, kMostPowers); });
}

}  // namespace

Result<std::optional<SpmvOptions>> parse_spmv_options(const std::vector<std::string>& arguments) {
  SpmvOptions options;
  std::vector<std::string> matrices;
  std::vector<std::string> formats;
  std::vector<std::string> schedules;
  std::optional<std::string> traffic;
  std::optional<unsigned> index_bits;
  OptionParser parser("spmv", embedded::spmv_help);
  parser.positional("matrix", matrices);
  parser.option("--generate", options.generate);
  parser.option("--formats", formats);
  parser.option("--threads", options.threads);
  parser.option("--schedules", schedules);
  parser.option("--rhs", options.vectors);
  parser.option("--power", options.powers);
  parser.option("--traffic", traffic);
  parser.option("--index-bits", index_bits);
  parser.option("-o,--output", options.output);
  parser.option("--title", options.title);
  parser.option("--style", options.style);
  parser.flag("--force", options.force);
  parser.flag("--quick", options.quick);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  options.index_bits = index_bits.value_or(0);
  if (auto fine = check(options, matrices); !fine) {
    return tl::make_unexpected(fine.error());
  }
  if (!matrices.empty()) {
    options.matrix = matrices.front();
  }
  for (const std::string& name : formats) {
    const auto format = spmv::parse_format(name);
    if (!format) {
      return tl::make_unexpected(format.error());
    }
    options.formats.push_back(*format);
  }
  auto named = schedules_of(schedules);
  if (!named) {
    return tl::make_unexpected(named.error());
  }
  options.schedules = std::move(*named);
  if (traffic) {
    const auto bytes = traffic_of(*traffic);
    if (!bytes) {
      return tl::make_unexpected(bytes.error());
    }
    options.traffic_bytes = *bytes;
  }
  return options;
}

}  // namespace ridge::cli
