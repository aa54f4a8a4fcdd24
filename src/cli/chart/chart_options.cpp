#include "cli/chart/chart_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"
#include "core/value/demand.hpp"
#include "core/value/roofline_chart.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kMemory = "memory";

tl::unexpected<Error> no_such(std::string_view option, std::string_view word,
                              std::string_view known) {
  return fail(ErrorCode::usage, fmt::format("{}: there is no `{}`", option, word.substr(0, 60)),
              fmt::format("one of {}", known));
}

Result<void> read_ceilings(const ChartOptions& options, ChartWords& words) {
  const std::array known{std::pair{RooflineKind::no_fma, &words.no_fma},
                         std::pair{RooflineKind::no_simd, &words.no_simd},
                         std::pair{RooflineKind::one_core, &words.one_core}};
  for (const std::string& word : options.ceilings) {
    bool found = false;
    for (const auto& [kind, wanted] : known) {
      if (word == kAll || word == to_string(kind)) {
        *wanted = found = true;
      }
    }
    if (!found) {
      return no_such("--ceilings", word, "no-fma, no-simd, one-core, all");
    }
  }
  return {};
}

Result<void> read_levels(const ChartOptions& options, ChartWords& words) {
  for (const std::string& word : options.levels) {
    const auto level = parse_level(word);
    const bool set = word == kAll || word == kMemory;
    if (set ? options.levels.size() > 1 : !level) {
      return no_such("--levels", word,
                     "all or memory (alone), or levels of the machines, such as L2,DRAM");
    }
    if (set) {
      words.memory_only = word == kMemory;
    } else {
      words.levels.push_back(*level);
    }
  }
  return {};
}

Result<void> read_isas(const ChartOptions& options, ChartWords& words) {
  for (const std::string& word : options.isas) {
    const auto isa = parse_isa(word);
    if (!isa || properties_of(*isa).matrix) {
      std::vector<std::string_view> known;
      for (const IsaProperties& one : kIsaTable) {
        if (!one.matrix) {
          known.push_back(one.text);
        }
      }
      return no_such("--isa", word, fmt::format("{}", fmt::join(known, ", ")));
    }
    words.isas.push_back(*isa);
  }
  return {};
}

Result<void> check_precisions(const ChartOptions& options) {
  for (const std::string& precision : options.precisions) {
    if (!element_bytes(precision)) {
      return no_such("--precision", precision,
                     fmt::format("{}", fmt::join(known_precisions(), ", ")));
    }
    if (rate_unit(precision) != "flop/s") {
      return fail(ErrorCode::usage, fmt::format("--precision: {} has no flop", precision),
                  "the chart's axis is flop/s: name a floating-point precision");
    }
  }
  return {};
}

/// One of two words.
template <class E>
Result<void> read_word(std::string_view option, const std::optional<std::string>& word, E first,
                       E second, std::optional<E>& target) {
  if (!word) {
    return {};
  }
  for (const E value : {first, second}) {
    if (*word == to_string(value)) {
      target = value;
      return {};
    }
  }
  return no_such(option, *word, fmt::format("{}, {}", to_string(first), to_string(second)));
}

}  // namespace

Result<std::optional<ChartOptions>> parse_chart_options(const std::vector<std::string>& arguments) {
  ChartOptions options;
  OptionParser parser("chart", embedded::chart_help);
  parser.positional("results", options.results);
  parser.option("--on", options.on);
  parser.repeated("--machine", options.own_machines);
  parser.option("--kernel", options.kernels);
  parser.option("--points", options.points);
  parser.option("--work", options.figures.work);
  parser.option("--bytes", options.figures.bytes);
  parser.option("--balance", options.figures.balance);
  parser.option("--intensity", options.figures.intensity);
  parser.option("--performance", options.figures.performance);
  parser.option("--time", options.figures.time);
  parser.option("--precision", options.precisions);
  parser.option("--isa", options.isas);
  parser.option("--ceilings", options.ceilings);
  parser.option("--levels", options.levels);
  parser.option("--only", options.only);
  parser.option("--basis", options.basis);
  parser.option("--pipes", options.pipes);
  parser.option("--axes", options.axes);
  parser.flag("--spectrum", options.spectrum);
  parser.option("--style", options.style);
  parser.option("--title", options.title);
  parser.option("-o,--output", options.output);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  if (!options.only.empty() && options.results.empty()) {
    return fail(ErrorCode::usage, "chart: --only names loops of a RESULT, and none is named",
                "Name the folder that `ridge run` wrote, or leave it out.");
  }
  return options;
}

bool has_figures(const FigureOptions& figures) {
  return !figures.work.empty() || !figures.bytes.empty() || figures.balance || figures.intensity ||
         figures.performance || figures.time;
}

Result<ChartWords> chart_words(const ChartOptions& options) {
  ChartWords words;
  for (const auto read : {read_ceilings, read_levels, read_isas}) {
    if (auto fine = read(options, words); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
  }
  if (options.axes && *options.axes != "log10" && *options.axes != "log2") {
    return no_such("--axes", *options.axes, "log10, log2");
  }
  words.powers_of_two = options.axes == "log2";
  return check_precisions(options)
      .and_then([&] {
        return read_word("--basis", options.basis, Basis::theoretical, Basis::sustained,
                         words.basis);
      })
      .and_then([&] {
        return read_word("--pipes", options.pipes, Pipes::vector, Pipes::matrix, words.pipes);
      })
      .map([&] { return words; });
}

}  // namespace ridge::cli
