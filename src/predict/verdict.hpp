// What explains the time of a region, and whether enough is known to say so: docs/reading.md,
// "Verdicts".
#pragma once

#include <optional>
#include <vector>

#include "core/machine.hpp"
#include "core/prediction.hpp"
#include "core/profile.hpp"
#include "predict/limits.hpp"

namespace ridge::predict {

/// Its traffic beyond L1 is not known, and could take longer than everything that is: `limits` are
/// those of the code without it. Loops that walk through their data without gaps move at most twice
/// what they ask for.
[[nodiscard]] bool memory_may_bind(const Region& region, const Machine& machine, unsigned threads,
                                   const std::vector<Limit>& limits);

/// The same with the ceilings of the region's threads.
[[nodiscard]] bool memory_may_bind(const Region& region, const Machine& machine,
                                   const Microarchitecture* microarchitecture);

/// nullopt without a time. `code` is the bound of the region's code, absent where no roof is known.
[[nodiscard]] std::optional<RegionVerdict> verdict_of(const Region& region,
                                                      const std::optional<Bound>& code,
                                                      const Machine& machine, bool memory_may_bind);

}  // namespace ridge::predict
