// The values of OverlapRule in files.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "core/describe/enumerators.hpp"
#include "core/value/overlap_rule.hpp"

namespace ridge::describe {

template <>
struct Enumerators<OverlapRule> {
  static constexpr std::array values =
      values_of(kOverlapRuleTable, &std::pair<OverlapRule, std::string_view>::first);
};

}  // namespace ridge::describe
