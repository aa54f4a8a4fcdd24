#include "analyze/traffic/blocking.hpp"

#include <algorithm>
#include <cmath>

#include "analyze/traffic/layer_condition.hpp"
#include "analyze/traffic/reuse.hpp"
#include "analyze/traffic/serving_caches.hpp"

namespace ridge::analyze {
namespace {

constexpr double kWorthWhile = 0.05;  ///< of the traffic across the boundary
constexpr std::int64_t kShortestBlock = 8;

double traffic_of(const ReuseOption& option) {
  return option.read + option.written;
}

/// With numbers for sizes, and one loop cut into blocks.
Walk blocked(const Walk& walk, std::size_t loop, std::int64_t block) {
  Walk made = walk;
  const auto as_number = [](Known& known) { known.polynomial = known.value; };
  made.loops[loop].trips.value = block;
  made.loops[loop].mean = std::min(made.loops[loop].mean, static_cast<double>(block));
  for (WalkedLoop& each : made.loops) {
    as_number(each.trips);
  }
  for (Stream& stream : made.streams) {
    std::ranges::for_each(stream.steps, as_number);
    for (auto& [value, place] : stream.places) {
      place = value;
    }
  }
  return made;
}

/// Layer conditions with blocks of one loop.
struct Cut {
  std::size_t loop = 0;
  std::int64_t block = 0;
  bool is_innermost = false;
  LayerConditions conditions;
};

/// A quarter longer each time, up to all trips.
std::vector<Cut> cuts_of(const Walk& walk) {
  std::vector<Cut> cuts;
  for (std::size_t loop = walk.loops.size(); loop-- > 1;) {
    const std::int64_t trips = walk.loops[loop].trips.value;
    const bool is_innermost = loop + 1 == walk.loops.size();
    for (std::int64_t block = kShortestBlock; block < trips; block += block / 4) {
      cuts.push_back({loop, block, is_innermost,
                      conditions_of(blocked(walk, loop, block), Distances::iterations)});
    }
  }
  return cuts;
}

/// What crosses the boundary below a cache of this size, in bytes per iteration. Rows that end at
/// each block touch a line more than they use.
double traffic_with(const Cut& cut, std::uint64_t cache_bytes) {
  const auto found =
      std::find_if(cut.conditions.options.begin() + 1, cut.conditions.options.end(),
                   [&](const ReuseOption& option) { return holds_in(option, {}, cache_bytes); });
  const double ends = cut.is_innermost ? static_cast<double>(kLineBytes * found->misses) /
                                             static_cast<double>(cut.block)
                                       : 0.0;
  return traffic_of(*found) + ends;
}

/// Longer blocks while they save no less.
void lengthen(const Walk& walk, std::uint64_t cache_bytes, double now, const Cut& cut,
              BlockingAdvice& advice) {
  std::int64_t low = cut.block;
  std::int64_t high = std::min(low + low / 4, walk.loops[cut.loop].trips.value);
  while (high - low > std::max<std::int64_t>(1, low / 64)) {
    const std::int64_t middle = low + (high - low) / 2;
    const Cut longer{cut.loop, middle, cut.is_innermost,
                     conditions_of(blocked(walk, cut.loop, middle), Distances::iterations)};
    const double saved = now - traffic_with(longer, cache_bytes);
    (saved >= advice.bytes_saved ? low : high) = middle;
    advice.bytes_saved = std::max(advice.bytes_saved, saved);
  }
  advice.block = low;
}

}  // namespace

std::vector<BlockingAdvice> blocking_advice(const LoopNest& nest, const Polynomial::Values& values,
                                            const Machine& machine, unsigned cores) {
  const auto walk = walk_of(nest, values);
  const auto conditions = layer_conditions(nest, values);
  std::vector<BlockingAdvice> advice;
  if (!walk || !conditions || !conditions->left_out.empty()) {
    return advice;
  }
  const std::vector<Cut> cuts = cuts_of(*walk);
  for (const ServingCache& cache : serving_caches(machine, cores)) {
    const double now = traffic_of(option_in(*conditions, values, cache.reach_bytes));
    const std::uint64_t half = cache.reach_bytes / 2;
    const Cut* best = nullptr;
    BlockingAdvice made{cache.level, {}, 0, kWorthWhile * now};
    for (const Cut& cut : cuts) {
      const double saved = now - traffic_with(cut, half);
      if (saved > made.bytes_saved) {
        best = &cut;
        made.bytes_saved = saved;
      }
    }
    if (best != nullptr) {
      made.loop = nest.levels[best->loop].counter;
      lengthen(*walk, half, now, *best, made);
      advice.push_back(std::move(made));
    }
  }
  return advice;
}

}  // namespace ridge::analyze
