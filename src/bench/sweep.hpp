// Are the caches as large as the operating system says? A short sweep of load bandwidth over set
// sizes, since in virtual machines and containers the answer is sometimes no.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "core/result.hpp"
#include "core/units.hpp"

namespace ridge::bench {

struct SweepPoint {
  std::uint64_t set_bytes = 0;
  BytesPerSecond rate{};
};

/// Sizes at which to measure for a cache of this size: 1/2, 3/4 and 2 times.
[[nodiscard]] std::vector<std::uint64_t> sweep_sizes(const Cache& cache);

/// Whether the rates at sweep_sizes() show a cache of that size: at 3/4 still more than halfway
/// (geometrically) up from the rate at twice the size to the rate at half of it, and a drop of at
/// least 10 % at twice the size.
[[nodiscard]] bool confirms(const std::vector<SweepPoint>& points);

/// Levels whose size the sweep does not confirm, innermost first. `measure` gives the load
/// bandwidth of one thread walking through a set of so many bytes.
[[nodiscard]] Result<std::vector<std::string>> unconfirmed_levels(
    const std::vector<Cache>& caches,
    const std::function<Result<BytesPerSecond>(std::uint64_t set_bytes)>& measure);

}  // namespace ridge::bench
