#include "cli/compare_options.hpp"

#include "cli/help_texts.hpp"
#include "cli/option_parser.hpp"

namespace ridge::cli {

Result<std::optional<CompareOptions>> parse_compare_options(
    const std::vector<std::string>& arguments) {
  CompareOptions options;
  std::vector<std::string> rules;
  OptionParser parser("compare", embedded::compare_help);
  parser.positional("results", options.results);
  parser.option("-o,--output", options.output);
  parser.repeated("--fail-on", rules);
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
  if (options.results.size() < 2) {
    return fail(ErrorCode::usage, "compare: two results are needed at least",
                "name the older one first: ridge compare ridge-out.1 ridge-out");
  }
  for (const std::string& text : rules) {
    auto rule = predict::parse_gate_rule(text);
    if (!rule) {
      return tl::make_unexpected(rule.error());
    }
    options.rules.push_back(std::move(*rule));
  }
  return options;
}

}  // namespace ridge::cli
