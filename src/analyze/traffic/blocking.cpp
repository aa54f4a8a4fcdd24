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

/// What crosses the boundary below a cache of this size, in bytes per iteration. Rows that end at
/// each block touch a line more than they use.
double traffic_with(const Walk& walk, std::size_t loop, std::int64_t block,
                    std::uint64_t cache_bytes) {
  const Walk cut = blocked(walk, loop, block);
  const LayerConditions conditions = conditions_of(cut, Distances::iterations);
  const auto found =
      std::find_if(conditions.options.begin() + 1, conditions.options.end(),
                   [&](const ReuseOption& option) { return holds_in(option, {}, cache_bytes); });
  const double ends =
      loop + 1 == walk.loops.size()
          ? static_cast<double>(kLineBytes * found->misses) / static_cast<double>(block)
          : 0.0;
  return traffic_of(*found) + ends;
}

/// The longest block of this loop with as little traffic as the shortest ones have.
std::optional<BlockingAdvice> advice_for(const Walk& walk, std::size_t loop, double now,
                                         const ServingCache& cache) {
  const std::uint64_t half = cache.reach_bytes / 2;
  const std::int64_t trips = walk.loops[loop].trips.value;
  BlockingAdvice best;
  best.level = cache.level;
  for (std::int64_t block = kShortestBlock; block < trips;
       block += std::max<std::int64_t>(1, block / 16)) {
    const double saved = now - traffic_with(walk, loop, block, half);
    if (saved >= best.bytes_saved * 0.999 && saved > kWorthWhile * now) {
      best.block = block;
      best.bytes_saved = std::max(saved, best.bytes_saved);
    }
  }
  return best.block > 0 ? std::optional(best) : std::nullopt;
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
  for (const ServingCache& cache : serving_caches(machine, cores)) {
    const double now = traffic_of(option_in(*conditions, values, cache.reach_bytes));
    std::optional<BlockingAdvice> best;
    for (std::size_t loop = walk->loops.size(); now > 0.0 && loop-- > 1;) {
      auto found = advice_for(*walk, loop, now, cache);
      if (found && (!best || found->bytes_saved > best->bytes_saved)) {
        found->loop = nest.levels[loop].counter;
        best = std::move(found);
      }
    }
    if (best) {
      advice.push_back(std::move(*best));
    }
  }
  return advice;
}

}  // namespace ridge::analyze
