#include "measure/instrumented/traffic.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "measure/profile/line_sample.hpp"
#include "measure/profile/region_lines.hpp"
#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure {
namespace {

double work_of(const Counts& counts, bool in_flops) {
  return in_flops
             ? static_cast<double>(counts.ir_flops)  // that both runs count
             : static_cast<double>(counts.bytes_loaded) + static_cast<double>(counts.bytes_stored);
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
  add_markers(process, table);
  add_elsewhere(process, table);
  add_placed(process, table);
}

/// Of regions with much of the marker's traffic; whether they ran inside is not known.
std::vector<Note> SecondRun::doubts_of(const RawProcess& process, const Entry& marker) {
  constexpr double kMatters = 0.01;
  std::vector<Note> notes;
  const auto bytes = [&](const ridge_region_traffic& traffic) {
    const ridge_bytes_crossed& crossed = traffic.crossed[process.memory_boundary];
    return static_cast<double>(crossed.read) + static_cast<double>(crossed.written);
  };
  for (std::size_t id = 0; marker.sampled && id < process.sampled.size(); ++id) {
    if (bytes(all_lines(process, id)) < kMatters * bytes(marker.traffic)) {
      continue;
    }
    auto note = distrust(process, id);
    if (note && std::none_of(notes.begin(), notes.end(),
                             [&](const Note& known) { return known.code == note->code; })) {
      notes.push_back(std::move(*note));
    }
  }
  return notes;
}

/// Their traffic is that of regions, whose sum is known already.
void SecondRun::add_markers(const RawProcess& process, const RegionTable& table) {
  for (std::size_t i = 0; i < process.markers.size(); ++i) {
    const RawMarker& marker = process.markers[i];
    Entry& entry = entries_[table.regions[table.of_marker[i]].identity];
    const ridge_region_traffic sampled = weighted(marker.sampled, process.sample_weight);
    entry.traffic = marker.traffic;
    add_traffic(entry.traffic, sampled);
    entry.sampled = sampled.accesses > 0;
    entry.notes = doubts_of(process, entry);
  }
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
  return traffic_scale(work_of(first, in_flops), work_of(second, in_flops),
                       in_flops ? "flop" : "byte");
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

}  // namespace ridge::measure
