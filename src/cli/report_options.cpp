#include "cli/report_options.hpp"

#include "cli/help_texts.hpp"
#include "cli/option_parser.hpp"

namespace ridge::cli {

Result<std::optional<ReportOptions>> parse_report_options(
    const std::vector<std::string>& arguments) {
  ReportOptions options;
  OptionParser parser("report", embedded::report_help);
  parser.positional("results", options.results);
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
  if (options.results.empty()) {
    return fail(ErrorCode::usage, "report: no result is named",
                "name the folder that `ridge run` wrote: ridge report ridge-out");
  }
  return options;
}

}  // namespace ridge::cli
