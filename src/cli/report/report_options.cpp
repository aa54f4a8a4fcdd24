#include "cli/report/report_options.hpp"

#include <string_view>

#include <fmt/format.h>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {
namespace {

/// What it prints is text about one region of one result.
Result<void> check_explain(const ReportOptions& options) {
  if (!options.explain) {
    return {};
  }
  if (options.results.size() > 1) {
    return fail(
        ErrorCode::usage,
        fmt::format("report: --explain is about one result, {} are named", options.results.size()),
        "Name the one whose region is meant.");
  }
  const std::string_view other = options.output          ? "--output"
                                 : options.json          ? "--json"
                                 : !options.only.empty() ? "--only"
                                 : options.intops        ? "--intops"
                                                         : "";
  return other.empty()
             ? Result<void>()
             : fail(ErrorCode::usage,
                    fmt::format("report: --explain prints text; {} does not go with it", other),
                    "Leave one of them out.");
}

Result<void> check(const ReportOptions& options) {
  if (options.results.empty()) {
    return fail(ErrorCode::usage, "report: no result is named",
                "Name the folder that `ridge run` wrote: ridge report ridge-out");
  }
  if (!options.labels.empty() && options.labels.size() != options.results.size()) {
    return fail(ErrorCode::usage,
                fmt::format("report: --label names {} of {} results", options.labels.size(),
                            options.results.size()),
                "Give one label for each RESULT, in their order.");
  }
  return check_explain(options);
}

}  // namespace

Result<std::optional<ReportOptions>> parse_report_options(
    const std::vector<std::string>& arguments) {
  ReportOptions options;
  OptionParser parser("report", embedded::report_help);
  parser.positional("results", options.results);
  parser.option("-o,--output", options.output);
  parser.option("--title", options.title);
  parser.option("--style", options.style);
  parser.option("--only", options.only);
  parser.option("--explain", options.explain);
  parser.option("--label", options.labels);
  parser.flag("--intops", options.intops);
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
  if (auto fine = check(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  return options;
}

}  // namespace ridge::cli
