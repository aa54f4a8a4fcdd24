#include "analyze/traffic/layer_condition.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace ridge::analyze {
namespace {

/// What one reference needs and costs while reuse over a window is held.
void add_reference(const Walk& walk, const Reference& reference, const Window& window,
                   ReuseOption& option, Polynomial& bytes) {
  const bool is_held = reference.gap && reference.gap->steps <= window.steps;
  bytes += is_held ? reference.bytes_to_next : need_of(walk, reference, window);
  if (is_held) {
    return;
  }
  const double traffic = traffic_of(reference, &window);
  option.misses += is_miss(walk, reference, traffic) ? 1 : 0;
  option.read += traffic;
  option.read_for_writes += reference.cluster.stream->is_read ? 0.0 : traffic;
}

void add_written(const std::vector<Reference>& references, const Window* window,
                 ReuseOption& option) {
  for (const Reference& reference : references) {
    if (!reference.gap && reference.cluster.stream->is_written) {
      option.written += traffic_of(reference, window);
    }
  }
}

ReuseOption option_for(const Walk& walk, const std::vector<Reference>& references,
                       const Window& window, unsigned accesses) {
  ReuseOption option;
  Polynomial bytes;
  for (const Reference& reference : references) {
    add_reference(walk, reference, window, option, bytes);
  }
  add_written(references, &window, option);
  option.bytes = bytes;
  option.hits = accesses - option.misses;
  return option;
}

ReuseOption nothing_held(const Walk& walk, const std::vector<Reference>& references,
                         unsigned accesses) {
  ReuseOption option;
  for (const Reference& reference : references) {
    const double traffic = traffic_of(reference, nullptr);
    option.misses += is_miss(walk, reference, traffic) ? 1 : 0;
    option.read += traffic;
    option.read_for_writes += reference.cluster.stream->is_read ? 0.0 : traffic;
  }
  add_written(references, nullptr, option);
  option.hits = accesses - option.misses;
  return option;
}

/// Of longer windows those that save next to nothing.
void drop_useless(std::vector<ReuseOption>& options) {
  constexpr double kWorthWhile = 0.01;
  for (std::size_t i = options.size() - 1; i-- > 1;) {
    const ReuseOption& longer = options[i];
    const ReuseOption& shorter = options[i + 1];
    const double before = shorter.read + shorter.written;
    const double saved = before - longer.read - longer.written;
    if (longer.misses >= shorter.misses && saved <= kWorthWhile * before) {
      options.erase(options.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace

LayerConditions conditions_of(const Walk& walk, Distances distances) {
  LayerConditions made;
  made.left_out = walk.left_out;
  unsigned accesses = 0;
  Polynomial whole;
  for (const Stream& stream : walk.streams) {
    const bool is_inner = stream.depth == walk.loops.size();
    accesses += is_inner ? stream.accesses : 0;
    made.written += is_inner && stream.is_written ? 1 : 0;
    whole += extent_of(walk, stream);
  }
  const std::vector<Reference> references = references_of(walk, distances);
  made.options.push_back({whole, accesses, 0, 0.0, 0.0, 0.0});
  for (const Window& window : windows_of(walk, references)) {
    made.options.push_back(option_for(walk, references, window, accesses));
  }
  made.options.push_back(nothing_held(walk, references, accesses));
  drop_useless(made.options);
  return made;
}

Result<LayerConditions> layer_conditions(const LoopNest& nest, const Polynomial::Values& values) {
  auto walk = walk_of(nest, values);
  if (!walk) {
    return tl::make_unexpected(walk.error());
  }
  LayerConditions made = conditions_of(*walk, Distances::addresses);
  if (!made.options.front().bytes->is_valid()) {
    return fail(ErrorCode::bad_input, "the bytes that the nest touches do not fit 64 bits",
                "take smaller sizes");
  }
  return made;
}

bool holds_in(const ReuseOption& option, const Polynomial::Values& values,
              std::uint64_t cache_bytes) {
  if (!option.bytes) {
    return true;
  }
  const auto needed = option.bytes->evaluate(values);  // that does not fit is more than any cache
  return needed && (*needed < 0 || static_cast<std::uint64_t>(*needed) <= cache_bytes);
}

const ReuseOption& option_in(const LayerConditions& conditions, const Polynomial::Values& values,
                             std::uint64_t cache_bytes) {
  const auto found = std::ranges::find_if(conditions.options, [&](const ReuseOption& option) {
    return holds_in(option, values, cache_bytes);
  });
  return found == conditions.options.end() ? conditions.options.back() : *found;
}

std::optional<std::int64_t> true_up_to(const ReuseOption& option, const std::string& symbol,
                                       const Polynomial::Values& values,
                                       std::uint64_t cache_bytes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  if (!option.bytes || option.bytes->degree(symbol) == 0) {
    return std::nullopt;
  }
  const auto is_true = [&](std::int64_t value) {
    Polynomial::Values at = values;
    at[symbol] = value;
    return holds_in(option, at, cache_bytes);
  };
  std::int64_t low = 1;
  std::int64_t high = kMost;
  if (!is_true(low) || is_true(high)) {
    return std::nullopt;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_true(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ridge::analyze
