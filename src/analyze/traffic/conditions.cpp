#include "analyze/traffic/conditions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/traffic/layer_condition.hpp"
#include "analyze/traffic/serving_caches.hpp"
#include "core/quantity/words.hpp"

namespace ridge::analyze {
namespace {

/// The symbol of the size that decides: of the highest power; of several, the one that the
/// innermost loops depend on.
std::optional<std::string> deciding_symbol(const LoopNest& nest, const Polynomial& bytes) {
  std::optional<std::string> best;
  const auto rank = [&](const std::string& symbol) {
    for (std::size_t i = nest.levels.size(); i-- > 0;) {
      if (nest.levels[i].trips && nest.levels[i].trips->span.degree(symbol) > 0) {
        return i + 1;
      }
    }
    return std::size_t{0};
  };
  for (const std::string& symbol : bytes.symbols()) {
    if (!best || std::pair(bytes.degree(symbol), rank(symbol)) >
                     std::pair(bytes.degree(*best), rank(*best))) {
      best = symbol;
    }
  }
  return best;
}

ReuseCondition condition_of(const LoopNest& nest, const ReuseOption& option,
                            const Polynomial::Values& values, const ServingCache& cache) {
  ReuseCondition made;
  made.level = cache.level;
  made.hits = option.hits;
  made.misses = option.misses;
  made.holds = holds_in(option, values, cache.reach_bytes);
  if (option.bytes) {
    made.condition = fmt::format("{} <= {}", option.bytes->text(),
                                 binary_size(static_cast<double>(cache.reach_bytes)));
    made.symbol = deciding_symbol(nest, *option.bytes);
  }
  if (made.symbol) {
    made.up_to = true_up_to(option, *made.symbol, values, cache.reach_bytes);
    made.symbol = made.up_to ? made.symbol : std::nullopt;
  }
  return made;
}

CrossingTraffic crossing_of(const ReuseOption& option, const ServingCache& cache) {
  CrossingTraffic made;
  made.level = cache.beyond;
  made.read = option.read - (cache.reads_for_writes ? 0.0 : option.read_for_writes);
  made.written = cache.feeds_victim ? std::max(option.read, option.written) : option.written;
  return made;
}

/// What is not known: each access that is left out may hit always or miss always.
Note bounds_of(const LoopNest& nest, const LayerConditions& conditions) {
  unsigned lines = 0;
  for (const ArrayAccess& access : nest.accesses) {
    lines += !access.offset && access.depth == nest.levels.size() ? 1 : 0;
  }
  return {"unknown-addresses",
          fmt::format("the addresses of {} depend on data: between 0 and {} bytes more per "
                      "iteration come from memory than those of the other accesses",
                      fmt::join(conditions.left_out, ", "), 64 * lines)};
}

}  // namespace

Result<std::vector<ReuseCondition>> reuse_conditions(const LoopNest& nest,
                                                     const Polynomial::Values& values,
                                                     const Machine& machine, unsigned cores) {
  const auto conditions = layer_conditions(nest, values);
  if (!conditions) {
    return tl::make_unexpected(conditions.error());
  }
  std::vector<ReuseCondition> made;
  for (const ServingCache& cache : serving_caches(machine, cores)) {
    for (const ReuseOption& option : conditions->options) {
      made.push_back(condition_of(nest, option, values, cache));
    }
  }
  return made;
}

Result<ModelledTraffic> traffic_by_conditions(const LoopNest& nest,
                                              const Polynomial::Values& values,
                                              const Machine& machine, unsigned cores) {
  const auto conditions = layer_conditions(nest, values);
  if (!conditions) {
    return tl::make_unexpected(conditions.error());
  }
  ModelledTraffic made;
  made.method = TrafficMethod::layer_conditions;
  if (!conditions->left_out.empty()) {
    made.notes.push_back(bounds_of(nest, *conditions));
    return made;
  }
  for (const ServingCache& cache : serving_caches(machine, cores)) {
    made.crossings.push_back(crossing_of(option_in(*conditions, values, cache.reach_bytes), cache));
  }
  return made;
}

}  // namespace ridge::analyze
