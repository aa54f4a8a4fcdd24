#include "measure/instrumented/traffic.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/quantity/percent.hpp"
#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/region_lines.hpp"
#include "measure/instrumented/sampling.hpp"

namespace ridge::measure {
namespace {

// docs/contracts.md, section 5.
constexpr double kEqual = 0.001;  ///< above this difference of the work, traffic is scaled ...
constexpr double kUsable = 0.1;   ///< ... and above this, dropped

double work_of(const Counts& counts, bool in_flops) {
  return in_flops
             ? static_cast<double>(counts.ir_flops)  // that both runs count
             : static_cast<double>(counts.bytes_loaded) + static_cast<double>(counts.bytes_stored);
}

void add(ridge_bytes_crossed& a, const ridge_bytes_crossed& b) {
  a.read += b.read;
  a.written += b.written;
}

std::uint64_t scaled(std::uint64_t bytes, double factor) {
  return factor == 1.0 ? bytes
                       : static_cast<std::uint64_t>(
                             std::llround(std::min(static_cast<double>(bytes) * factor, 9e18)));
}

Traffic to_traffic(const ridge_bytes_crossed& bytes, double factor) {
  return {scaled(bytes.read, factor), scaled(bytes.written, factor)};
}

/// Over the versions of a loop.
void widen(std::optional<TripCounts>& trips, const ridge_region_trips& added) {
  if (added.not_shortest == 0) {
    return;
  }
  const TripCounts one{~added.not_shortest, added.longest};
  if (one.shortest > one.longest) {
    return;  // damaged
  }
  const TripCounts old = trips.value_or(one);
  trips = TripCounts{std::min(old.shortest, one.shortest), std::max(old.longest, one.longest)};
}

void add_nodes(ridge_region_nodes& a, const ridge_region_nodes& b) {
  for (std::size_t thread = 0; thread < RIDGE_NODES_MAX; ++thread) {
    for (std::size_t memory = 0; memory < RIDGE_NODES_MAX; ++memory) {
      a.lines[thread][memory] += b.lines[thread][memory];
    }
  }
  a.others += b.others;
}

}  // namespace

void add_traffic(ridge_region_traffic& a, const ridge_region_traffic& b) {
  for (std::size_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    add(a.crossed[level], b.crossed[level]);
  }
  add(a.memory_at_half, b.memory_at_half);
  add(a.memory_at_quarter, b.memory_at_quarter);
  add(a.least, b.least);
  a.accesses += b.accesses;
}

SecondRun::SecondRun(const RawProcess& process)
    : simulated_(!process.traffic.empty()),
      divides_freely_((process.flags & RIDGE_PROCESS_DIVIDES_FREELY) != 0) {
  const RegionTable table = merge_regions(process);
  for (const MergedRegion& region : table.regions) {
    Entry& entry = entries_[region.identity];
    entry.counts = region.counts;
    entry.by_thread = region.by_thread;
  }
  for (std::uint32_t id = 0; id < process.traffic.size(); ++id) {
    const ridge_region_traffic traffic = all_lines(process, id);
    const bool is_sampled_here = is_sampled(process, id);
    sampled_ = sampled_ || is_sampled_here;
    add_traffic(total_, traffic);
    if (const std::uint32_t merged = table.find(id); merged != kNoRegion) {
      Entry& entry = entries_[table.regions[merged].identity];
      add_traffic(entry.traffic, traffic);
      if (id < process.lines.size()) {
        add_lines(entry.lines, process.lines[id]);
        entry.exact_accesses += process.traffic[id].accesses;
      }
      if (id < process.trips.size()) {
        widen(entry.trips, process.trips[id]);
      }
      if (id < process.nodes.size()) {
        add_nodes(entry.nodes, process.nodes[id]);
      }
      entry.sampled = entry.sampled || is_sampled_here;
      if (auto note = distrust(process, id)) {
        entry.notes.push_back(std::move(*note));
      }
    }
  }
  add_elsewhere(process, table);
  add_placed(process, table);
}

void SecondRun::add_placed(const RawProcess& process, const RegionTable& table) {
  placed_.resize(process.placed.size());
  for (auto& [identity, entry] : entries_) {
    entry.placed.resize(process.placed.size());
  }
  for (std::size_t how = 0; how < process.placed.size(); ++how) {
    const RawPlacement& placement = process.placed[how];
    for (std::uint32_t id = 0; id < placement.traffic.size(); ++id) {
      ridge_region_traffic traffic = placement.traffic[id];
      if (!placement.sampled.empty()) {
        add_traffic(traffic, weighted(placement.sampled[id], process.sample_weight));
      }
      add_traffic(placed_[how], traffic);
      if (const std::uint32_t merged = table.find(id); merged != kNoRegion) {
        add_traffic(entries_[table.regions[merged].identity].placed[how], traffic);
      }
    }
  }
}

void SecondRun::add_elsewhere(const RawProcess& process, const RegionTable& table) {
  elsewhere_.resize(process.elsewhere.size());
  for (auto& [identity, entry] : entries_) {
    entry.elsewhere.resize(process.elsewhere.size());
  }
  for (std::size_t i = 0; i < process.elsewhere.size(); ++i) {
    const auto& traffic = process.elsewhere[i];
    for (std::uint32_t id = 0; id < traffic.size(); ++id) {
      elsewhere_[i] = elsewhere_[i].value_or(ridge_region_traffic{});
      add_traffic(*elsewhere_[i], traffic[id]);
      if (const std::uint32_t merged = table.find(id); merged != kNoRegion) {
        add_traffic(entries_[table.regions[merged].identity].elsewhere[i], traffic[id]);
      }
    }
  }
}

const SecondRun::Entry* SecondRun::find(const std::string& identity) const {
  const auto found = entries_.find(identity);
  return found == entries_.end() ? nullptr : &found->second;
}

TrafficScale traffic_scale(const Counts& first, const Counts& second) {
  const bool in_flops = first.ir_flops > 0 || second.ir_flops > 0;
  const double a = work_of(first, in_flops);
  const double b = work_of(second, in_flops);
  const double difference = a == b ? 0.0 : std::abs(a - b) / std::max(a, b);
  const char* unit = in_flops ? "flop" : "byte";
  if (difference > kUsable) {
    return {std::nullopt,
            Note{"traffic-dropped",
                 fmt::format("the two runs differ too much here ({:.4g} and {:.4g} {}): no traffic",
                             a, b, unit)}};
  }
  if (difference > kEqual) {
    return {a / b, Note{"traffic-scaled",
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

std::vector<TrafficByLevel> placed_traffic(const std::vector<ridge_region_traffic>& placed,
                                           double factor, const Machine& machine) {
  const auto boundaries = boundaries_of(machine);
  const auto depends = boundaries_of_cores(machine);
  std::vector<TrafficByLevel> found;
  for (const ridge_region_traffic& traffic : placed) {
    TrafficByLevel& levels = found.emplace_back();
    for (std::size_t level = 0; level < boundaries.size(); ++level) {
      if (depends[level]) {
        levels[boundaries[level]] = to_traffic(traffic.crossed[level], factor);
      }
    }
  }
  return found;
}

std::map<Level, std::uint64_t> left_in_caches(const Region& region, const Machine& machine) {
  const auto boundaries = boundaries_of(machine);
  const auto of_cores = boundaries_of_cores(machine);
  std::map<Level, std::uint64_t> left;
  std::uint64_t held = 0;
  for (std::size_t level = 0; level < boundaries.size() && of_cores[level]; ++level) {
    held += machine.caches[level].size_bytes * std::max(1U, region.threads);
    left[boundaries[level]] = std::min(held, region.bytes_stored.value_or(0));
  }
  return left;
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
