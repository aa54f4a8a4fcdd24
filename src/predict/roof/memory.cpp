#include "predict/roof/memory.hpp"

#include <algorithm>
#include <cmath>

#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

constexpr double kNearlyAll = 0.99;

bool traffic_is_known(const Region& region) {
  return std::any_of(region.traffic.begin(), region.traffic.end(),
                     [](const auto& entry) { return entry.first != Level::L1; });
}

/// Or there is none.
bool memory_is_known(const Region& region) {
  return traffic_is_known(region) || asked_bytes(region) <= 0.0;
}

/// Nearly all bytes are accessed in loops without gaps, or at an address that stays the same, and
/// an entry is long enough that what else lies in its first and last lines does not count.
bool walks_without_gaps(const Region& region) {
  constexpr double kLongEntry = 4096.0;
  double without = 0.0;
  for (const AccessTerm& term : region.accesses) {
    const bool no_gaps =
        term.pattern == AccessPattern::unit || term.pattern == AccessPattern::invariant;
    without += no_gaps ? static_cast<double>(term.bytes) : 0.0;
  }
  const double asked = asked_bytes(region);
  return without >= kNearlyAll * asked &&
         asked >= kLongEntry *
                      static_cast<double>(std::max<std::uint64_t>(1, region.entries.value_or(1)));
}

}  // namespace

double asked_bytes(const Region& region) {
  return static_cast<double>(region.bytes_loaded.value_or(0)) +
         static_cast<double>(region.bytes_stored.value_or(0));
}

double bytes_of(Traffic traffic) {
  return static_cast<double>(traffic.read) + static_cast<double>(traffic.written);
}

const Traffic* find_level(const TrafficByLevel& traffic, Level level) {
  const auto found = traffic.find(level);
  return found == traffic.end() ? nullptr : &found->second;
}

bool is_memory(const Machine& machine, Level level) {
  return std::any_of(machine.memories.begin(), machine.memories.end(),
                     [&](const MemoryNode& memory) { return memory.level == level; });
}

std::optional<double> latency_of_level(const Machine& machine, Level level) {
  std::optional<double> seconds;
  for (const Ceiling& ceiling : machine.ceilings) {
    const bool fits = ceiling.kind == CeilingKind::latency && ceiling.level == level &&
                      ceiling.threads == 1 && !ceiling.device;
    const double low = low_of(ceiling.value);
    if (fits && std::isfinite(low) && low > 0.0 && (!seconds || low < *seconds)) {
      seconds = low;
    }
  }
  return seconds;
}

bool memory_may_bind(const Region& region, const CeilingIndex& ceilings, unsigned threads,
                     const std::vector<Limit>& limits) {
  if (memory_is_known(region)) {
    return false;
  }
  if (!walks_without_gaps(region)) {
    return true;
  }
  const std::uint64_t stored = region.bytes_stored.value_or(0);
  const Traffic most{region.bytes_loaded.value_or(0) + stored, stored};
  std::vector<Note> unused;
  const auto memory =
      boundary_limit(most, memory_level(ceilings.machine()), ceilings, threads, unused);
  return !memory || std::none_of(limits.begin(), limits.end(), [&](const Limit& limit) {
    return limit.seconds >= memory->seconds;
  });
}

bool memory_may_bind(const Region& region, const CeilingIndex& ceilings,
                     const Microarchitecture* microarchitecture) {
  if (memory_is_known(region)) {
    return false;  // before its limits are worked out
  }
  const auto choice = choose_threads(ceilings, region.threads);
  std::vector<Note> unused;
  return choice &&
         memory_may_bind(region, ceilings, choice->used,
                         code_limits(region, ceilings, microarchitecture, choice->used, unused));
}

}  // namespace ridge::predict
