// What the ranks of one machine did together. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "core/value/profile.hpp"

namespace ridge::measure {

/// Between the last cache and memory, all memories together; nullopt: unknown.
[[nodiscard]] std::optional<std::uint64_t> memory_bytes_of(const Region& region);

/// One more rank on the host: the longest wall time, sums of all else. A figure that one of the
/// ranks lacks is absent. Name and CPUs stay: ranks may share CPUs.
void add_rank(RankHost& host, const Process& rank, std::optional<std::uint64_t> memory_bytes);

/// Of `ranks` ranks on one machine that one run measured together: figures of the whole program,
/// launchers and all. The time of each rank is unknown, so there is none.
[[nodiscard]] RankHost host_of_all(const Profile& profile, unsigned ranks);

}  // namespace ridge::measure
