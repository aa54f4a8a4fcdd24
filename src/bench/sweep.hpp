// Are the caches as large as the operating system says? A short sweep of load bandwidth over set
// sizes, since in virtual machines and containers the answer is sometimes no.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

struct SweepPoint {
  std::uint64_t set_bytes = 0;
  BytesPerSecond rate{};
};

/// Sizes at which to measure for a cache of this size: 1/4, 5/8 and 4 times. Not nearer to 1: on
/// small pages of a virtual machine a physically indexed cache misses long before it is full. Not
/// nearer above: an exclusive level below adds its own size, and not every cache forgets the oldest
/// first.
[[nodiscard]] std::vector<std::uint64_t> sweep_sizes(const Cache& cache);

/// Whether the rates at sweep_sizes() show a cache of that size: at four times the size at least 10
/// % below that at 1/4, and at 5/8 at least a third of the accesses still served by the cache,
/// judged by the time per byte.
[[nodiscard]] bool confirms(const std::vector<SweepPoint>& points);

/// Levels whose size the sweep does not confirm in three tries (other programs disturb single
/// points), innermost first. `measure` gives the load bandwidth of one thread walking through a set
/// of so many bytes.
[[nodiscard]] Result<std::vector<Level>> unconfirmed_levels(
    const std::vector<Cache>& caches,
    const std::function<Result<BytesPerSecond>(std::uint64_t set_bytes)>& measure);

}  // namespace ridge::bench
