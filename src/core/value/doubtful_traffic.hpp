// Which traffic of a region comes from some lines for all, and may not speak for all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge {

/// Traffic of L1 is counted; the rest may come from sampled lines (Region::traffic_mode), of which
/// a note says what they cannot vouch for. That none of them crosses the boundary says little of
/// the others. false where the traffic is not known.
[[nodiscard]] bool is_traffic_doubtful(const Region& region, const Machine& machine, Level level);

/// Those levels of the traffic of a region of this profile, in the order of `Region::traffic`. The
/// program is the sum of all: in doubt where regions in doubt hold 1 % of it, or all is nothing.
[[nodiscard]] std::vector<Level> levels_of_doubtful_traffic(const Region& region,
                                                            const Profile& profile);

}  // namespace ridge
