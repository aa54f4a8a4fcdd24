// A short burst of work that notices when another hyperthread works on the same core.
#pragma once

#include <cstdint>

namespace ridge::platform {

/// Ticks of the time stamp counter that a burst of 10000 vector loads from L1 takes, about 1.5 us.
/// The loads ask for every load port in every cycle: when another hyperthread of the core works at
/// the same time (in a virtual machine: of another guest, unseen) it takes 4 to 60 % longer. In
/// cycles the burst is a property of the core; what counts as long is judged against the quickest
/// bursts of the same core, never against a table.
[[nodiscard]] std::uint64_t load_burst_ticks();

}  // namespace ridge::platform
