// For each rule of findings an example.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "predict/findings/finding_case.hpp"

namespace ridge::predict::testing {

using Change = std::function<void(Case&)>;

/// A rule, an example in which it fires, its evidence there (all of it), and what makes it fall
/// silent.
struct RuleCase {
  const char* code;
  Change fires;
  std::map<std::string, double> evidence;
  Origin origin;
  Change does_not_apply;
  Change unknown;
};

[[nodiscard]] std::vector<RuleCase> rule_cases();

/// 90 % of the flops are scalar.
void scalar(Case& example);

}  // namespace ridge::predict::testing
