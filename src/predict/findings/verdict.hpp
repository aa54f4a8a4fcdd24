// What explains the time of a region, and whether enough is known to say so: docs/reading.md,
// "Verdicts".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// What would tell the traffic of a region that has none, as half a sentence.
[[nodiscard]] std::string_view what_tells_traffic(const Region& region);

/// nullopt without a time. `code` is the bound of the region's code, absent where no roof is known.
[[nodiscard]] std::optional<RegionVerdict> verdict_of(const Region& region,
                                                      const std::optional<Bound>& code,
                                                      const Machine& machine, bool memory_may_bind);

}  // namespace ridge::predict
