// What a chart counts: floating-point or integer operations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/quantity/units.hpp"
#include "core/value/region.hpp"

namespace ridge::render {

/// Figures whose names say flop are of this.
enum class CountedWork { flops, intops };

/// How units of it are spelt.
struct WorkUnits {
  std::string_view per_second;  ///< "Flop/s", which a prefix precedes
  std::string_view per_byte;    ///< "flop/byte"
  std::string_view rate_title;  ///< "flop/s", in headings
};
[[nodiscard]] constexpr WorkUnits units_of(CountedWork work) {
  return work == CountedWork::intops ? WorkUnits{"intop/s", "intop/byte", "intop/s"}
                                     : WorkUnits{"Flop/s", "flop/byte", "flop/s"};
}

/// Operations of the region itself; 0: none, or nobody counted.
[[nodiscard]] inline std::uint64_t amount_of(const Region& region, CountedWork work) {
  return work == CountedWork::intops ? region.intops.value_or(0) : known_work(region).total();
}

/// Over the wall time of the region itself. nullopt when there is no time or no work, and where it
/// was cut midway: its work is not that of its time.
[[nodiscard]] inline std::optional<IntOpsPerSecond> integer_performance(const Region& region) {
  const auto& time = region.time_seconds.self;
  const std::uint64_t intops = region.intops.value_or(0);
  if (!time || time->value <= Seconds(0.0) || intops == 0 || region.partial) {
    return std::nullopt;
  }
  return IntOps(static_cast<double>(intops)) / time->value;
}

/// As performance() and integer_performance() have them.
[[nodiscard]] inline std::optional<double> rate_of(const Region& region, CountedWork work) {
  if (work == CountedWork::intops) {
    const auto rate = integer_performance(region);
    return rate ? std::optional(rate->value()) : std::nullopt;
  }
  const auto rate = performance(region);
  return rate ? std::optional(rate->value()) : std::nullopt;
}

}  // namespace ridge::render
