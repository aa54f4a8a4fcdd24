// What a region asks of memory, and what the memory of a machine is.
#pragma once

#include <optional>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {

/// Bytes loaded and stored.
[[nodiscard]] double asked_bytes(const Region& region);
[[nodiscard]] double bytes_of(Traffic traffic);
[[nodiscard]] const Traffic* find_level(const TrafficByLevel& traffic, Level level);
[[nodiscard]] bool is_memory(const Machine& machine, Level level);

/// Seconds from a load to its data, the undisturbed end of the samples; nullopt when not measured.
[[nodiscard]] std::optional<double> latency_of_level(const Machine& machine, Level level);

/// Its traffic beyond L1 is not known, and could take longer than everything that is: `limits` are
/// those of the code without it. Loops that walk through their data without gaps move at most twice
/// what they ask for.
[[nodiscard]] bool memory_may_bind(const Region& region, const CeilingIndex& ceilings,
                                   unsigned threads, const std::vector<Limit>& limits);

/// The same with the ceilings of the region's threads.
[[nodiscard]] bool memory_may_bind(const Region& region, const CeilingIndex& ceilings,
                                   const Microarchitecture* microarchitecture);

}  // namespace ridge::predict
