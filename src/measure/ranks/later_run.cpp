#include "measure/ranks/later_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/match_regions.hpp"
#include "measure/profile/region_traffic.hpp"
#include "measure/region_figures.hpp"

namespace ridge::measure {
namespace {

TrafficScale scale_of(const Region& first, const Region& second) {
  const auto flops = [](const Region& region) {
    return static_cast<double>(known_work(region).total());
  };
  if (flops(first) > 0.0 || flops(second) > 0.0) {
    return traffic_scale(flops(first), flops(second), "flop");
  }
  const auto bytes = [](const Region& region) {
    return static_cast<double>(bytes_accessed(region).value_or(0));
  };
  return traffic_scale(bytes(first), bytes(second), "byte");
}

std::uint64_t scaled(std::uint64_t count, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
}

void scale(Traffic& traffic, double factor) {
  traffic.read = scaled(traffic.read, factor);
  traffic.written = scaled(traffic.written, factor);
}

void scale(TrafficByLevel& levels, double factor) {
  for (auto& [level, traffic] : levels) {
    if (level != Level::L1) {
      scale(traffic, factor);
    }
  }
}

void scale_traffic(Region& region, double factor) {
  scale(region.traffic, factor);
  scale(region.least_traffic, factor);
  for (auto& [level, interval] : region.traffic_interval) {
    interval = {scaled(interval.low, factor), scaled(interval.high, factor)};
  }
  for (auto& [share, traffic] : region.traffic_at_share) {
    scale(traffic, factor);
  }
  for (auto& [name, levels] : region.traffic_elsewhere) {
    scale(levels, factor);
  }
  for (MissCurvePoint& point : region.miss_curve) {
    point.misses_bytes = scaled(point.misses_bytes, factor);
  }
}

void lay_traffic(Region& to, const Region& from) {
  if (!has_figures(from, FigureGroup::traffic)) {
    return;
  }
  const TrafficScale how = scale_of(to, from);
  if (how.note) {
    to.notes.push_back(*how.note);
  }
  if (!how.factor) {
    return;
  }
  take_figures(FigureGroup::traffic, to, from);
  if (*how.factor != 1.0) {
    scale_traffic(to, *how.factor);
  }
  to.trip_counts = from.trip_counts;
}

/// `from` without what its time and its place in another profile were.
Region as_new(const Region& from, std::uint32_t id, std::uint32_t process) {
  Region region = from;
  static_cast<RegionTime&>(region) = {};
  region.id = id;
  region.process = process;
  region.parent.reset();
  return region;
}

/// Code that did work, yet has no time in the first run: programs as they are have there only what
/// was sampled or lies around it. Without it the work of the regions were not that of the program.
void append_unmatched(Profile& to, const Profile& counted, const RegionMatches& matches) {
  std::map<std::uint32_t, std::uint32_t> id_of;
  std::uint32_t next = 0;
  for (const Region& region : to.regions) {
    next = std::max(next, region.id + 1);
  }
  const std::size_t first_new = to.regions.size();
  std::vector<const Region*> sources;
  for (std::size_t i = 0; i < matches.regions.size(); ++i) {
    const Region& region = counted.regions[i];
    if (matches.regions[i]) {
      id_of[region.id] = to.regions[*matches.regions[i]].id;
    } else if (has_figures(region, FigureGroup::work)) {
      std::size_t process = 0;
      if (region.process < matches.processes.size()) {
        process = matches.processes[region.process].value_or(0);
      }
      id_of[region.id] = next;
      to.regions.push_back(as_new(region, next++, static_cast<std::uint32_t>(process)));
      sources.push_back(&region);
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto parent = sources[i]->parent ? id_of.find(*sources[i]->parent) : id_of.end();
    if (parent != id_of.end()) {
      to.regions[first_new + i].parent = parent->second;
    }
  }
}

/// Notes of the later run that the first does not have; why the first has no traffic is past.
void join_notes(Profile& to, const Profile& from, std::string_view past) {
  std::erase_if(to.notes, [&](const Note& note) { return note.code == past; });
  for (const Note& note : from.notes) {
    if (std::ranges::find(to.notes, note.code, &Note::code) == to.notes.end()) {
      to.notes.push_back(note);
    }
  }
}

}  // namespace

Profile with_traffic_of(Profile first, const Profile& simulated) {
  const SourcedProfile to{"the first run", std::move(first), {}};
  const SourcedProfile from{"the run for traffic", simulated, {}};
  const RegionMatches matches = match_regions(to, from);
  Profile joined = to.profile;
  for (std::size_t i = 0; i < matches.regions.size(); ++i) {
    if (matches.regions[i]) {
      lay_traffic(joined.regions[*matches.regions[i]], simulated.regions[i]);
    }
  }
  joined.origins.traffic = simulated.origins.traffic;
  joined.caches_elsewhere = simulated.caches_elsewhere;
  join_notes(joined, simulated, "no-traffic");
  return joined;
}

Profile with_work_of(Profile first, const Profile& counted) {
  const SourcedProfile to{"the first run", std::move(first), {}};
  const SourcedProfile from{"the run that counts", counted, {}};
  const RegionMatches matches = match_regions(to, from);
  Profile joined = to.profile;
  for (std::size_t i = 0; i < matches.regions.size(); ++i) {
    if (matches.regions[i]) {
      Region& region = joined.regions[*matches.regions[i]];
      take_figures(FigureGroup::work, region, counted.regions[i]);
      region.notes.insert(region.notes.end(), counted.regions[i].notes.begin(),
                          counted.regions[i].notes.end());
    }
  }
  append_unmatched(joined, counted, matches);
  joined.origins.flops = counted.origins.flops;
  joined.origins.bytes = counted.origins.bytes;
  join_notes(joined, counted, "no-counts");
  return joined;
}

}  // namespace ridge::measure
