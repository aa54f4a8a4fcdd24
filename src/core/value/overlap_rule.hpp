// Which parts of the time of a loop pass at the same time on one core.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace ridge {

/// T_OL is what the core computes, T_nOL its loads and stores to L1, T_i the transfers of lines
/// across the boundaries beyond.
enum class OverlapRule {
  nothing,     ///< T_OL + T_nOL + sum of T_i
  arithmetic,  ///< max(T_OL, T_nOL + sum of T_i): cores of Intel
  everything,  ///< max(T_OL, T_nOL, T_1, T_2, ...): cores of AMD
};

/// In the order of the enumerators.
inline constexpr std::array<std::pair<OverlapRule, std::string_view>, 3> kOverlapRuleTable{
    {{OverlapRule::nothing, "nothing"},
     {OverlapRule::arithmetic, "arithmetic"},
     {OverlapRule::everything, "everything"}}};

/// "arithmetic": as files spell it.
[[nodiscard]] constexpr std::string_view to_string(OverlapRule rule) {
  return kOverlapRuleTable[static_cast<std::size_t>(rule)].second;
}

}  // namespace ridge
