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

}  // namespace ridge::measure
