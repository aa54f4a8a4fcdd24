#include "analyze/in_core/bounds.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace ridge::analyze {
namespace {

/// The set of units, made of unions of demands, that has the most work for each of its units: by
/// Hall's theorem its mean is the least time for all. Unions of few demands are few.
struct Busiest {
  std::uint64_t units = 0;
  double mean = 0.0;
};

Busiest busiest(std::span<const Demand> demands) {
  constexpr std::size_t kMostUnions = 1U << 14;
  std::vector<std::uint64_t> unions{0};
  for (const Demand& each : demands) {
    const std::size_t before = unions.size();
    for (std::size_t i = 0; i < before && unions.size() < kMostUnions; ++i) {
      unions.push_back(unions[i] | each.units);
    }
    std::ranges::sort(unions);
    unions.erase(std::ranges::unique(unions).begin(), unions.end());
  }
  Busiest found;
  for (const std::uint64_t set : unions) {
    double work = 0.0;
    for (const Demand& each : demands) {
      work += (each.units & ~set) == 0 ? each.cycles : 0.0;
    }
    const double mean = set == 0 ? 0.0 : work / std::popcount(set);
    if (mean > found.mean + 1e-9) {
      found = {set, mean};
    }
  }
  return found;
}

}  // namespace

std::vector<double> unit_cycles(std::span<const MicroOperation> operations, std::size_t units,
                                std::span<const Demand> besides) {
  std::map<std::uint64_t, double> by_units;
  for (const Demand& each : besides) {
    by_units[each.units] += each.cycles;
  }
  for (const MicroOperation& each : operations) {
    if (each.use.units != 0) {
      by_units[each.use.units] += each.use.cycles;
    }
  }
  std::vector<Demand> demands;
  for (const auto& [of, cycles] : by_units) {
    demands.push_back({of, cycles});
  }
  // The busiest set works at its mean; what is left has the other units to itself.
  std::vector<double> found(units, 0.0);
  while (!demands.empty()) {
    const Busiest top = busiest(demands);
    if (top.units == 0) {
      break;
    }
    for (std::size_t i = 0; i < units; ++i) {
      if (((top.units >> i) & 1U) != 0) {
        found[i] = top.mean;
      }
    }
    std::erase_if(demands, [&](const Demand& each) { return (each.units & ~top.units) == 0; });
    for (Demand& each : demands) {
      each.units &= ~top.units;
    }
  }
  return found;
}

double chain_cycles(std::span<const MicroOperation> operations) {
  // Without limits but the waits, starts of passes far apart lie apart by the greatest mean. Every
  // number of passes up to 6 that a chain may span divides 60.
  constexpr unsigned kPasses = 60;
  constexpr std::size_t kMostPassesBack = 8;
  std::vector<std::vector<double>> starts(kMostPassesBack + 1,
                                          std::vector<double>(operations.size(), 0.0));
  std::vector<double> middle;
  for (unsigned pass = 1; pass <= 2 * kPasses; ++pass) {
    std::vector<double>& now = starts[pass % starts.size()];
    for (std::size_t i = 0; i < operations.size(); ++i) {
      double start = 0.0;
      for (const Wait& wait : operations[i].waits) {
        if (wait.passes < pass && wait.passes <= kMostPassesBack) {
          const auto& there = starts[(pass - wait.passes) % starts.size()];
          start = std::max(start, there[wait.on] + wait.latency);
        }
      }
      now[i] = start;
    }
    if (pass == kPasses) {
      middle = now;
    }
  }
  double most = 0.0;
  const auto& last = starts[(2 * kPasses) % starts.size()];
  for (std::size_t i = 0; i < operations.size(); ++i) {
    most = std::max(most, (last[i] - middle[i]) / kPasses);
  }
  return most;
}

double divider_cycles(std::span<const MicroOperation> operations) {
  double cycles = 0.0;
  for (const MicroOperation& each : operations) {
    cycles += each.divider_cycles;
  }
  return cycles;
}

}  // namespace ridge::analyze
