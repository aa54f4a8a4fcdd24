// Which of several compute ceilings of about one height a roof is named after.
#pragma once

#include <span>

#include "core/value/machine.hpp"

namespace ridge {

/// Two runs must not name one roof AVX2 once and AVX-512 the next time. Of `ceilings` (one
/// precision, one number of threads) those stand within the noise of the highest p90 that reach 97
/// % of it, or 1 / 1.1 of it with an interval (low to high) that overlaps its own. Of these the one
/// that mixes fma and add is chosen before fma, fma before the rest, then the widest instruction
/// set, then the highest p90; the id decides what is left. nullptr for none. The same rule:
/// web/src/data/ceilings.ts; cases of both: src/core/testdata/widest_ceiling.tsv.
[[nodiscard]] const Ceiling* widest_within_noise(std::span<const Ceiling* const> ceilings);

}  // namespace ridge
