#include "cli/compare/compare_options.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/common/help_texts.hpp"
#include "cli/common/option_parser.hpp"

namespace ridge::cli {

Result<std::optional<CompareOptions>> parse_compare_options(
    const std::vector<std::string>& arguments) {
  CompareOptions options;
  std::vector<std::string> rules;
  OptionParser parser("compare", embedded::compare_help);
  parser.positional("results", options.results);
  parser.option("-o,--output", options.output);
  parser.repeated("--fail-on", rules);
  std::vector<std::string> allowed;
  parser.option("--allow", allowed);
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
    auto parsed = predict::parse_gate_rules(text);
    if (!parsed) {
      return tl::make_unexpected(parsed.error());
    }
    std::move(parsed->begin(), parsed->end(), std::back_inserter(options.rules));
  }
  if (!allowed.empty() && options.rules.empty()) {
    return fail(ErrorCode::usage, "compare: --allow says what a gate lets pass, and there is none",
                "Name a rule with --fail-on, or leave --allow out.");
  }
  auto words = predict::parse_gate_allowance(allowed);
  if (!words) {
    return tl::make_unexpected(words.error());
  }
  options.allowed = std::move(*words);
  return options;
}

}  // namespace ridge::cli
