// `ridge machines`: the data base of published machines, and the check of a user's own file.
#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/command.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/known_machines.hpp"
#include "cli/common/option_parser.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "predict/projection/derived_machine.hpp"
#include "render/document/bench/specification_table.hpp"
#include "serialize/specification.hpp"

namespace ridge::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  std::optional<std::string> precision;
  std::optional<std::string> sort;
  bool json = false;
  bool ascii = false;
};

using Key = std::optional<double> (*)(const Specification& machine, std::string_view precision);

std::optional<double> value_of(const Figure* figure) {
  return figure != nullptr ? std::optional(figure->value) : std::nullopt;
}

std::optional<double> peak_key(const Specification& machine, std::string_view precision) {
  const auto* peak = highest_peak(machine, precision, Pipes::vector, Basis::theoretical);
  return value_of(peak != nullptr ? &peak->figure : nullptr);
}

std::optional<double> matrix_key(const Specification& machine, std::string_view precision) {
  const auto* peak = highest_peak(machine, precision, Pipes::matrix, Basis::theoretical);
  return value_of(peak != nullptr ? &peak->figure : nullptr);
}

std::optional<double> bandwidth_key(const Specification& machine, std::string_view /*precision*/) {
  const auto* best = main_memory_bandwidth(machine, Basis::theoretical);
  return value_of(best != nullptr ? &best->figure : nullptr);
}

std::optional<double> ridge_key(const Specification& machine, std::string_view precision) {
  return ridge_point(machine, precision, Pipes::vector, Basis::theoretical);
}

struct SortOrder {
  std::string_view name;
  Key key;
};
constexpr std::array kOrders{SortOrder{"peak", peak_key}, SortOrder{"matrix", matrix_key},
                             SortOrder{"bandwidth", bandwidth_key}, SortOrder{"ridge", ridge_key}};

/// Highest first; machines without the number last, in the order of their keys.
Result<void> sort_machines(std::vector<Specification>& machines, const std::string& by,
                           std::string_view precision) {
  if (by == "name") {
    return {};
  }
  const auto* order = std::find_if(kOrders.begin(), kOrders.end(),
                                   [&](const SortOrder& o) { return o.name == by; });
  if (order == kOrders.end()) {
    return fail(ErrorCode::usage, fmt::format("--sort: there is no order `{}`", by),
                "one of name, peak, matrix, bandwidth, ridge");
  }
  std::stable_sort(machines.begin(), machines.end(),
                   [&](const Specification& a, const Specification& b) {
                     return order->key(a, precision) > order->key(b, precision);
                   });
  return {};
}

/// The precisions that some machine has a peak for.
Result<void> check_precision(const std::vector<Specification>& machines,
                             std::string_view precision) {
  std::vector<std::string> known;
  for (const Specification& machine : machines) {
    for (const PublishedPeak& peak : machine.peaks) {
      if (peak.precision == precision) {
        return {};
      }
      if (std::find(known.begin(), known.end(), peak.precision) == known.end()) {
        known.push_back(peak.precision);
      }
    }
  }
  return fail(ErrorCode::usage, fmt::format("no machine has a peak of `{}`", precision),
              fmt::format("one of {}", fmt::join(known, ", ")));
}

Result<int> list(const Options& options) {
  auto machines = serialize::known_specifications();
  const std::string precision = options.precision.value_or("fp64");
  if (auto fine = check_precision(machines, precision); !fine) {
    return tl::make_unexpected(fine.error());
  }
  if (auto sorted = sort_machines(machines, options.sort.value_or("name"), precision); !sorted) {
    return tl::make_unexpected(sorted.error());
  }
  const auto printed = options.json ? print(serialize::write_specifications(machines))
                                    : print_screen(render::specification_list(
                                          machines, precision, text_style(stdout, options.ascii)));
  return printed.map([] { return 0; });
}

Result<int> show(const Options& options) {
  const auto machine = find_specification(options.words[1]);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  const auto printed = options.json ? print(serialize::write_specification(*machine))
                                    : print_screen(render::specification_details(
                                          *machine, text_style(stdout, options.ascii)));
  return printed.map([] { return 0; });
}

Result<int> check(const Options& options) {
  // Even a word without a slash is a file here: the data base needs no check.
  std::string file = options.words[1];
  if (file.find('/') == std::string::npos) {
    file.insert(0, "./");
  }
  const auto machine = find_specification(file);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  return print_screen(
             fmt::format("{} is fine: {} {} and {} {}.\n", options.words[1], machine->peaks.size(),
                         machine->peaks.size() == 1 ? "peak" : "peaks", machine->bandwidths.size(),
                         machine->bandwidths.size() == 1 ? "bandwidth" : "bandwidths"))
      .map([] { return 0; });
}

/// The words may be one argument in quotes or several.
Result<int> derive(const Options& options) {
  const auto derived = predict::derive_machine(
      fmt::format("{}", fmt::join(options.words.begin() + 1, options.words.end(), " ")));
  if (!derived) {
    return tl::make_unexpected(derived.error());
  }
  std::vector<render::ArithmeticLine> lines;
  for (const predict::DerivationStep& step : derived->steps) {
    lines.push_back({step.quantity, step.arithmetic, step.value, step.unit});
  }
  const Specification& figures = derived->target.figures;
  if (options.json && (figures.peaks.empty() || !main_memory(figures))) {
    return fail(ErrorCode::usage,
                "machines derive: ridge.specification/1 needs a peak and the bandwidth of a memory",
                "add fp64=768G or DRAM=210GB/s, or leave out --json");
  }
  const auto printed = options.json ? print(serialize::write_specification(figures))
                                    : print_screen(render::derived_specification(
                                          figures, lines, text_style(stdout, options.ascii)));
  return printed.map([] { return 0; });
}

}  // namespace

Result<int> run_machines(const std::vector<std::string>& arguments) {
  Options options;
  OptionParser parser("machines", embedded::machines_help);
  parser.positional("words", options.words);
  parser.option("--precision", options.precision);
  parser.option("--sort", options.sort);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return 0;
  }
  const std::size_t words = options.words.size();
  const std::string verb = words == 0 ? "list" : options.words[0];
  if (verb == "list" && words <= 1) {
    return list(options);
  }
  if (verb == "show" && words == 2) {
    return show(options);
  }
  if (verb == "check" && words == 2) {
    return check(options);
  }
  if (verb == "derive" && words >= 2) {
    return derive(options);
  }
  return fail(ErrorCode::usage,
              "machines: expected list, show NAME, check FILE or derive 'KEY=VALUE...'",
              "`ridge machines --help` explains them.");
}

}  // namespace ridge::cli
