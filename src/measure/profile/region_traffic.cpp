#include "measure/profile/region_traffic.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/quantity/percent.hpp"
#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure {

namespace {

// docs/contracts.md, section 5.
constexpr double kEqual = 0.001;  ///< above this difference of the work, traffic is scaled ...
constexpr double kUsable = 0.1;   ///< ... and above this, dropped

void add(ridge_bytes_crossed& a, const ridge_bytes_crossed& b) {
  a.read += b.read;
  a.written += b.written;
}

std::uint64_t scaled(std::uint64_t bytes, double factor) {
  return factor == 1.0 ? bytes
                       : static_cast<std::uint64_t>(
                             std::llround(std::min(static_cast<double>(bytes) * factor, 9e18)));
}

}  // namespace

Traffic to_traffic(const ridge_bytes_crossed& bytes, double factor) {
  return {scaled(bytes.read, factor), scaled(bytes.written, factor)};
}

void add_traffic(ridge_region_traffic& a, const ridge_region_traffic& b) {
  for (std::size_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    add(a.crossed[level], b.crossed[level]);
  }
  add(a.memory_at_half, b.memory_at_half);
  add(a.memory_at_quarter, b.memory_at_quarter);
  add(a.least, b.least);
  a.accesses += b.accesses;
}

TrafficScale traffic_scale(double first, double second, const char* unit) {
  const double difference =
      first == second ? 0.0 : std::abs(first - second) / std::max(first, second);
  if (difference > kUsable) {
    return {std::nullopt,
            Note{"traffic-dropped",
                 fmt::format("the two runs differ too much here ({:.4g} and {:.4g} {}): no traffic",
                             first, second, unit)}};
  }
  if (difference > kEqual) {
    return {first / second,
            Note{"traffic-scaled",
                 fmt::format("the two runs differ by {} here: traffic is scaled per {}",
                             percent_text(difference), unit)}};
  }
  return {1.0, std::nullopt};
}

void set_traffic(Region& region, const ridge_region_traffic& traffic, double factor,
                 const std::vector<Level>& boundaries, bool with_least) {
  for (std::size_t level = 0; level < boundaries.size() && level < RIDGE_CACHE_LEVELS_MAX;
       ++level) {
    region.traffic[boundaries[level]] = to_traffic(traffic.crossed[level], factor);
    if (with_least) {
      region.least_traffic[boundaries[level]] = to_traffic(traffic.least, factor);
    }
  }
  region.traffic_at_share["1/2"] = to_traffic(traffic.memory_at_half, factor);
  region.traffic_at_share["1/4"] = to_traffic(traffic.memory_at_quarter, factor);
}

void set_memory_nodes(Region& region, const ridge_region_nodes& nodes) {
  for (unsigned thread = 0; thread < RIDGE_NODES_MAX && nodes.others == 0; ++thread) {
    for (unsigned memory = 0; memory < RIDGE_NODES_MAX; ++memory) {
      if (const std::uint64_t samples = nodes.lines[thread][memory]; samples != 0) {
        region.memory_nodes.push_back({thread, memory, samples});
      }
    }
  }
}

void set_traffic_elsewhere(Region& region, const ridge_region_traffic& traffic, double factor,
                           const CachesElsewhere& elsewhere) {
  const auto boundaries = boundaries_of(elsewhere);
  TrafficByLevel& levels = region.traffic_elsewhere[elsewhere.name];
  for (std::size_t level = 0; level < boundaries.size(); ++level) {
    levels[boundaries[level]] = to_traffic(traffic.crossed[level], factor);
  }
}

void set_counted_traffic(Region& region) {
  region.traffic[Level::L1] = {region.bytes_loaded.value_or(0), region.bytes_stored.value_or(0)};
}

}  // namespace ridge::measure
