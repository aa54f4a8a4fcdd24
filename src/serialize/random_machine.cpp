#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "core/describe/machine.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/random_value.hpp"
#include "serialize/random_estimate.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {

/// A rate; Mend<Ceiling> makes it one of the ceiling's kind.
template <>
struct RandomByHand<CeilingEstimate> {
  static CeilingEstimate make(Random& random) {
    return chance(random, 2)
               ? CeilingEstimate(RandomByHand<Estimate<FlopsPerSecond>>::make(random))
               : CeilingEstimate(RandomByHand<Estimate<BytesPerSecond>>::make(random));
  }
};

namespace {

/// `whole`: of integers, where the kind allows it.
CeilingEstimate of_kind(Random& random, CeilingKind kind, bool whole) {
  switch (kind) {
    case CeilingKind::compute:
      return whole ? CeilingEstimate(RandomByHand<Estimate<IntOpsPerSecond>>::make(random))
                   : CeilingEstimate(RandomByHand<Estimate<FlopsPerSecond>>::make(random));
    case CeilingKind::bandwidth:
      return RandomByHand<Estimate<BytesPerSecond>>::make(random);
    case CeilingKind::latency:
      break;
  }
  return RandomByHand<Estimate<Seconds>>::make(random);
}

}  // namespace

template <>
struct Mend<Ceiling> {
  static void mend(Random& random, Ceiling& ceiling) {
    const bool whole = chance(random, 4);
    ceiling.value = of_kind(random, ceiling.kind, whole);
    if (ceiling.traffic_value) {
      ceiling.traffic_value = of_kind(random, ceiling.kind, whole);
    }
    const double limit = p90_of(ceiling.value) * (1.0 + plain_double(random));
    const double fraction = p90_of(ceiling.value) / limit;
    const bool has_limit = ceiling.limit && std::isfinite(limit) && fraction > 0.0;
    ceiling.limit = has_limit ? std::optional(limit) : std::nullopt;
    ceiling.limit_fraction = has_limit ? std::optional(fraction) : std::nullopt;
  }
};

template <>
struct Mend<MeasuredRoof> {
  static void mend(Random& /*random*/, MeasuredRoof& roof) {
    std::sort(roof.points.begin(), roof.points.end(),
              [](const RoofPoint& a, const RoofPoint& b) { return a.intensity < b.intensity; });
    const auto same = [](const RoofPoint& a, const RoofPoint& b) {
      return a.intensity == b.intensity;
    };
    roof.points.erase(std::unique(roof.points.begin(), roof.points.end(), same), roof.points.end());
  }
};

template <>
struct Mend<Cache> {
  static void mend(Random& random, Cache& cache) {
    cache.ways = 1 + static_cast<unsigned>(random() % 32);
    cache.line_bytes = 64;
    cache.size_bytes = std::max<std::uint64_t>(cache.size_bytes, 64ULL * cache.ways);
  }
};

template <>
struct Mend<Machine> {
  static void mend(Random& /*random*/, Machine& machine) {
    for (std::size_t i = 0; i < machine.caches.size(); ++i) {
      machine.caches[i].level = kCacheLevels[i % kCacheLevels.size()];
    }
    machine.memories.resize(1);
    machine.memories[0].level = Level::DRAM;
    for (std::size_t i = 0; i < machine.ceilings.size(); ++i) {
      machine.ceilings[i].id += fmt::format(".{}", i);
    }
  }
};

Machine random_machine(Random& random) {
  return random_object<Machine>(random);
}

}  // namespace ridge::serialize
