#include "measure/binary/profile/simulated_run.hpp"

#include <algorithm>
#include <bit>

#include "measure/profile/region_lines.hpp"
#include "measure/profile/region_traffic.hpp"

namespace ridge::measure::binary {
namespace {

void add_pilot(ridge_region_pilot& sum, const ridge_region_pilot& more) {
  sum.sampled_accesses += more.sampled_accesses;
  for (std::size_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    ridge_pilot_level& own = sum.levels[level];
    const ridge_pilot_level& other = more.levels[level];
    own.piloted_accesses += other.piloted_accesses;
    for (std::size_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
      own.lines[i] += other.lines[i];
    }
    own.verdict = std::max(own.verdict, other.verdict);
    own.variation = std::max(own.variation, other.variation);
    own.sample_error = std::max(own.sample_error, other.sample_error);
    own.hottest = std::max(own.hottest, other.hottest);
  }
}

}  // namespace

SimulatedTraffic simulated_traffic(const SimulatedRun& simulated, std::uint32_t region_count,
                                   std::size_t memory_boundary) {
  SimulatedTraffic all;
  all.memory_boundary = memory_boundary;
  all.traffic.resize(region_count);
  const int classes = std::popcount(simulated.sample_mask);
  all.sample_weight = classes > 0 ? RIDGE_LINE_CLASSES / static_cast<unsigned>(classes) : 1;
  const bool has_samples = std::ranges::any_of(
      simulated.run.records, [](const Record& record) { return !record.sampled_traffic.empty(); });
  if (has_samples) {
    all.sampled.resize(region_count);
    all.pilot.resize(region_count);
  }
  for (const Record& record : simulated.run.records) {
    for (const auto& [region, traffic] : record.traffic) {
      add_traffic(all.traffic[region < region_count ? region : 0], traffic);
    }
    for (const auto& [region, traffic] : record.sampled_traffic) {
      add_traffic(all.sampled[region < region_count ? region : 0], traffic);
    }
    for (const auto& [region, pilot] : record.pilots) {
      if (has_samples && region < region_count) {
        add_pilot(all.pilot[region], pilot);
      }
    }
  }
  return all;
}

std::map<std::uint64_t, ridge_region_lines> simulated_lines(std::span<const Record> records) {
  std::map<std::uint64_t, ridge_region_lines> sum;
  for (const Record& record : records) {
    for (const auto& [region, lines] : record.lines) {
      add_lines(sum[region], lines);
    }
  }
  return sum;
}

std::optional<ridge_region_traffic> traffic_elsewhere(std::span<const Record> records,
                                                      std::uint32_t caches,
                                                      const std::set<std::uint32_t>& regions) {
  ridge_region_traffic sum{};
  for (const Record& record : records) {
    const auto found = record.elsewhere.find(caches);
    if (found == record.elsewhere.end()) {
      return std::nullopt;
    }
    for (const auto& [region, traffic] : found->second) {
      if (regions.empty() || regions.contains(region)) {
        add_traffic(sum, traffic);
      }
    }
  }
  return sum;
}

}  // namespace ridge::measure::binary
