// How the addresses of a loop's accesses move from turn to turn, read from its machine code.
#pragma once

#include <optional>
#include <vector>

#include "core/value/region.hpp"
#include "measure/binary/code/loop_code.hpp"

namespace ridge::measure::binary {

/// Bytes of which the machine code does not say how they are addressed, of those in loops. Where
/// there are more, nothing is said: advice would rest on what this reader does not see.
constexpr double kMostUnseen = 0.1;

struct LoopAccesses {
  std::vector<AccessTerm> terms;  ///< no two with the same pattern, direction and stride
  /// Some access of one element goes on by just this element: a turn is one of the source.
  bool steps_by_one_element = false;
};

/// Without the frame, without prefetches. nullopt where too much is unseen.
[[nodiscard]] std::optional<LoopAccesses> loop_accesses(const LoopCode& loop);

}  // namespace ridge::measure::binary
