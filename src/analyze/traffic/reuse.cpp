#include "analyze/traffic/reuse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace ridge::analyze {
namespace {

/// Whether the innermost loop is the one that moves it the least, and from element to element.
bool is_walked(const Walk& walk, const Stream& stream) {
  const Known& inner = stream.steps.back();
  const auto constant = inner.polynomial.constant();
  return stream.depth == walk.loops.size() && constant && *constant != 0 &&
         std::abs(*constant) <= kLineBytes &&
         std::ranges::all_of(stream.steps, [&](const Known& step) {
           return step.value == 0 || std::abs(step.value) >= std::abs(inner.value);
         });
}

/// The outermost loop of which an iteration takes no longer than this.
std::size_t loop_within(const Walk& walk, double steps) {
  std::size_t loop = walk.loops.size() - 1;
  while (loop > 0 && static_cast<double>(iterations_within(walk, loop - 1).value) <= steps) {
    --loop;
  }
  return loop;
}

Window window_of(const Walk& walk, double steps, const Polynomial& numerator,
                 std::int64_t divisor) {
  Window window{steps, numerator, divisor, loop_within(walk, steps), {}};
  const double within = static_cast<double>(iterations_within(walk, window.loop).value);
  const auto times = static_cast<std::int64_t>(std::ceil(steps / within));
  const auto exact = numerator.divided_by(divisor);
  const bool is_innermost = window.loop + 1 == walk.loops.size();
  window.times = {is_innermost && exact ? *exact : Polynomial(times), times};
  return window;
}

/// Of a distance between two places: how many iterations of each loop lie between, most moving loop
/// first, until they are this near. nullopt: no whole number of them leads from one to the other.
std::optional<Window> gap_over_loops(const Walk& walk, const Stream& stream, std::int64_t distance,
                                     std::int64_t near) {
  std::vector<std::size_t> order(walk.loops.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t loop) { return std::abs(stream.steps[loop].value); });
  double steps = 0.0;
  Polynomial numerator;
  for (const std::size_t loop : order) {
    const std::int64_t step = stream.steps[loop].value;
    const std::int64_t times =
        step == 0 || std::abs(distance) <= near
            ? 0
            : std::llround(static_cast<double>(distance) / static_cast<double>(step));
    const Known within = iterations_within(walk, loop);
    distance -= times * step;
    steps += static_cast<double>(times) * static_cast<double>(within.value);
    numerator += within.polynomial * times;
  }
  if (std::abs(distance) > near) {
    return std::nullopt;
  }
  return window_of(walk, std::abs(steps), steps < 0 ? numerator * -1 : numerator, 1);
}

Reference finished(const Walk& walk, Reference reference) {
  reference.base = base_traffic(walk, reference.cluster);
  reference.rungs = rungs_of(walk, reference.cluster, reference.base);
  return reference;
}

void add_walked(const Walk& walk, const Stream& stream, Distances distances,
                std::vector<Reference>& references) {
  const std::int64_t stride = std::abs(stream.steps.back().value);
  const Polynomial* before = nullptr;
  std::int64_t value_before = 0;
  for (const auto& [value, place] : stream.places) {
    Reference reference{{&stream, stream.bytes, stream.bytes}, true, std::nullopt, {}, 0.0, {}};
    if (before != nullptr && distances == Distances::iterations) {
      reference.gap = gap_over_loops(walk, stream, value - value_before, 0);
      reference.bytes_to_next = reference.gap ? reference.gap->numerator * stride : Polynomial();
    } else if (before != nullptr) {
      reference.bytes_to_next = place - *before;
      const double steps = static_cast<double>(value - value_before) / static_cast<double>(stride);
      reference.gap = window_of(walk, steps, reference.bytes_to_next, stride);
    }
    references.push_back(finished(walk, std::move(reference)));
    before = &place;
    value_before = value;
  }
}

/// Places of a stream that is not walked, those together that share lines most of the time.
std::vector<std::pair<std::int64_t, Cluster>> clusters_of(const Stream& stream) {
  std::vector<std::pair<std::int64_t, Cluster>> clusters;
  std::int64_t end = 0;
  const Polynomial* first = nullptr;
  for (const auto& [value, place] : stream.places) {
    if (clusters.empty() || value - end >= kLineBytes) {
      clusters.emplace_back(value, Cluster{&stream, stream.bytes, stream.bytes});
      first = &place;
    } else {
      Cluster& cluster = clusters.back().second;
      cluster.width = place - *first + Polynomial(stream.bytes);
      cluster.width_value = value - clusters.back().first + stream.bytes;
    }
    end = value;
  }
  return clusters;
}

void add_scattered(const Walk& walk, const Stream& stream, std::vector<Reference>& references) {
  std::optional<std::int64_t> before;
  for (const auto& [value, cluster] : clusters_of(stream)) {
    Reference reference{cluster, false, std::nullopt, {}, 0.0, {}};
    if (before) {
      reference.gap = gap_over_loops(walk, stream, value - *before, kLineBytes - 1);
    }
    before = value;
    reference = finished(walk, std::move(reference));
    if (reference.gap) {
      reference.bytes_to_next = need_of(walk, reference, *reference.gap);
    }
    references.push_back(std::move(reference));
  }
}

}  // namespace

Known iterations_within(const Walk& walk, std::size_t loop) {
  Known product{1, 1};
  for (std::size_t i = loop + 1; i < walk.loops.size(); ++i) {
    product.polynomial *= walk.loops[i].trips.polynomial;
    if (__builtin_mul_overflow(product.value, walk.loops[i].trips.value, &product.value)) {
      product.value = INT64_MAX;
    }
  }
  return product;
}

std::vector<Reference> references_of(const Walk& walk, Distances distances) {
  std::vector<Reference> references;
  for (const Stream& stream : walk.streams) {
    // What never moves stays in registers, or in the line that is used all the time.
    if (std::ranges::all_of(stream.steps, [](const Known& step) { return step.value == 0; })) {
      continue;
    }
    is_walked(walk, stream) ? add_walked(walk, stream, distances, references)
                            : add_scattered(walk, stream, references);
  }
  return references;
}

std::vector<Window> windows_of(const Walk& walk, const std::vector<Reference>& references) {
  std::map<double, Window, std::greater<>> windows;
  for (const Reference& reference : references) {
    if (reference.gap) {
      windows.emplace(reference.gap->steps, *reference.gap);
    }
  }
  for (const Reference& reference : references) {
    for (const Rung& rung : reference.rungs) {
      const Known within = iterations_within(walk, rung.loop);
      const auto steps = static_cast<double>(within.value);
      windows.emplace(steps, Window{steps, within.polynomial, 1, rung.loop, {1, 1}});
    }
  }
  std::vector<Window> sorted;
  for (const auto& [steps, window] : windows) {
    sorted.push_back(window);
  }
  return sorted;
}

Polynomial need_of(const Walk& walk, const Reference& reference, const Window& window) {
  const Known touched = footprint(walk, reference.cluster, window.loop, window.times);
  if (!reference.is_walk) {
    const bool is_still = touched.value == reference.cluster.width_value;
    return is_still ? Polynomial() : touched.polynomial;
  }
  const std::int64_t stride = std::abs(reference.cluster.stream->steps.back().value);
  const double walked = window.steps * static_cast<double>(stride);
  const auto exact = (window.numerator * stride).divided_by(window.divisor);
  if (!exact || static_cast<double>(touched.value) < walked) {
    return touched.polynomial;
  }
  return *exact;
}

double traffic_of(const Reference& reference, const Window* window) {
  double bytes = reference.base;
  for (const Rung& rung : reference.rungs) {
    if (window != nullptr && rung.loop >= window->loop) {
      bytes = std::min(bytes, rung.bytes);
    }
  }
  return bytes;
}

bool is_miss(const Walk& walk, const Reference& reference, double traffic) {
  const Stream& stream = *reference.cluster.stream;
  const std::int64_t step = std::min(std::abs(stream.steps.back().value), kLineBytes);
  return stream.depth == walk.loops.size() && traffic > 0.5 * static_cast<double>(step) && step > 0;
}

Polynomial extent_of(const Walk& walk, const Stream& stream) {
  Polynomial between =
      stream.places.rbegin()->second - stream.places.begin()->second + Polynomial(stream.bytes);
  std::int64_t value = stream.places.rbegin()->first - stream.places.begin()->first + stream.bytes;
  for (std::size_t i = 0; i < walk.loops.size(); ++i) {
    const Known& step = stream.steps[i];
    between += (step.value < 0 ? step.polynomial * -1 : step.polynomial) *
               (walk.loops[i].trips.polynomial - 1);
    value += std::abs(step.value) * (walk.loops[i].trips.value - 1);
  }
  Known apart{0, 0};
  for (const auto& [place, cluster] : clusters_of(stream)) {
    const Known touched = footprint(walk, cluster, 0);
    apart.polynomial += touched.polynomial;
    apart.value += touched.value;
  }
  return apart.value < value ? apart.polynomial : between;
}

}  // namespace ridge::analyze
