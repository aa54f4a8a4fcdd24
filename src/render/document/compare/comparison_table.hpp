// Results held against each other: the table that `ridge compare` prints.
#pragma once

#include <string>

#include "core/value/comparison.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The sentence, then for the whole program and each notable loop one line per result and one for
/// each change; new, vanished and undecided loops; notes.
[[nodiscard]] std::string comparison_table(const Comparison& comparison, const TextStyle& style);

/// Ceiling by ceiling, what only some machines have, notes.
[[nodiscard]] std::string machine_comparison_table(const MachineComparison& comparison,
                                                   const TextStyle& style);

}  // namespace ridge::render
