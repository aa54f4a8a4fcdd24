#include "measure/ranks/add_region.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {
namespace {

using Count = std::optional<std::uint64_t>;

void add(std::uint64_t& to, std::uint64_t from) {
  to = saturating_add(to, from);
}

void add(Count& to, const Count& from) {
  if (from) {
    to = saturating_add(to.value_or(0), *from);
  }
}

void add(std::optional<Seconds>& to, const std::optional<Seconds>& from) {
  if (from) {
    to = to.value_or(Seconds(0.0)) + *from;
  }
}

void add(Traffic& to, const Traffic& from) {
  add(to.read, from.read);
  add(to.written, from.written);
}

void add(TrafficInterval& to, const TrafficInterval& from) {
  add(to.low, from.low);
  add(to.high, from.high);
}

template <class Key, class Value>
void add(std::map<Key, Value>& to, const std::map<Key, Value>& from) {
  for (const auto& [key, value] : from) {
    add(to[key], value);
  }
}

void add(std::optional<SampledTime>& to, const std::optional<SampledTime>& from) {
  if (!from) {
    return;
  }
  SampledTime sum = to.value_or(SampledTime{});
  sum.value += from->value;
  sum.low += from->low;
  sum.high += from->high;
  add(sum.samples, from->samples);
  to = sum;
}

void keep_longer(std::optional<SampledTime>& to, const std::optional<SampledTime>& from) {
  if (from && (!to || from->value > to->value)) {
    to = from;
  }
}

/// `same` says which items are one; `amounts` adds the second to the first.
template <class Item, class Same, class Amounts>
void add_items(std::vector<Item>& to, const std::vector<Item>& from, Same same, Amounts amounts) {
  for (const Item& item : from) {
    const auto found =
        std::ranges::find_if(to, [&](const Item& known) { return same(known, item); });
    if (found == to.end()) {
      to.push_back(item);
    } else {
      amounts(*found, item);
    }
  }
}

/// Where only one side is not exact, the other is both of its ends.
void add_flops_interval(Region& to, const Region& from) {
  if (!to.flops_interval && !from.flops_interval) {
    return;
  }
  const auto ends = [](const Region& region) {
    const std::uint64_t exact = known_work(region).total();
    return region.flops_interval.value_or(WorkInterval{exact, exact});
  };
  const WorkInterval a = ends(to);
  const WorkInterval b = ends(from);
  to.flops_interval = WorkInterval{saturating_add(a.low, b.low), saturating_add(a.high, b.high)};
}

/// Absent where it is that of the machine code.
void add_ir_flops(Region& to, const Region& from) {
  if (to.ir_flops || from.ir_flops) {
    to.ir_flops = saturating_add(to.ir_flops.value_or(known_work(to).total()),
                                 from.ir_flops.value_or(known_work(from).total()));
  }
}

void add_flops(Region& to, const Region& from) {
  add_flops_interval(to, from);
  add_ir_flops(to, from);
  if (from.flops) {
    work_of(to) += *from.flops;
  }
}

void add_work(Region& to, const Region& from) {
  add(to.entries, from.entries);
  add(to.iterations, from.iterations);
  add_flops(to, from);
  add(to.fusible_flops, from.fusible_flops);
  add(to.intops, from.intops);
  add(to.calls, from.calls);
  add(to.opaque, from.opaque);
  add(to.bytes_loaded, from.bytes_loaded);
  add(to.bytes_stored, from.bytes_stored);
  add(to.bytes_non_temporal, from.bytes_non_temporal);
  add(to.bytes_overwritten, from.bytes_overwritten);
  if (from.bytes_spilled) {
    to.bytes_spilled = to.bytes_spilled.value_or(Traffic{});
    add(*to.bytes_spilled, *from.bytes_spilled);
  }
  if (from.trip_counts) {
    const TripCounts trips = to.trip_counts.value_or(*from.trip_counts);
    to.trip_counts = TripCounts{std::min(trips.shortest, from.trip_counts->shortest),
                                std::max(trips.longest, from.trip_counts->longest)};
  }
}

void add_evidence(Region& to, const Region& from) {
  add_items(
      to.accesses, from.accesses,
      [](const AccessTerm& a, const AccessTerm& b) {
        return a.pattern == b.pattern && a.write == b.write && a.stride_bytes == b.stride_bytes;
      },
      [](AccessTerm& a, const AccessTerm& b) { add(a.bytes, b.bytes); });
  add_items(
      to.chain, from.chain,
      [](const ChainTerm& a, const ChainTerm& b) {
        return a.operation == b.operation && a.precision == b.precision &&
               a.reduction == b.reduction;
      },
      [](ChainTerm& a, const ChainTerm& b) { add(a.operations, b.operations); });
  if (from.gathered) {
    to.gathered = to.gathered.value_or(Traffic{});
    add(*to.gathered, *from.gathered);
  }
  if (from.masked) {
    MaskedOperations sum = to.masked.value_or(MaskedOperations{});
    add(sum.operations, from.masked->operations);
    add(sum.lanes, from.masked->lanes);
    add(sum.active_lanes, from.masked->active_lanes);
    to.masked = sum;
  }
  if (!to.not_vectorised) {
    to.not_vectorised = from.not_vectorised;
  }
}

/// Steps: between two points the earlier one holds, so the sum has a point wherever one of the two
/// has. Below the first point of either it is not known.
void add_curve(MissCurve& to, const MissCurve& from) {
  if (to.empty() || from.empty()) {
    to = to.empty() ? from : to;
    return;
  }
  std::set<std::uint64_t> capacities;
  for (const MissCurve* curve : {&std::as_const(to), &from}) {
    for (const MissCurvePoint& point : *curve) {
      capacities.insert(point.capacity_bytes);
    }
  }
  MissCurve sum;
  for (const std::uint64_t capacity : capacities) {
    const Count here = misses_with(to, capacity);
    const Count there = misses_with(from, capacity);
    if (here && there) {
      sum.push_back({capacity, saturating_add(*here, *there)});
    }
  }
  to = std::move(sum);
}

/// A level with an interval contains the ranks whose traffic repeats.
void add_intervals(Region& to, const Region& from) {
  for (const auto& [level, traffic] : from.traffic) {
    const auto mine = to.traffic_interval.find(level);
    const auto theirs = from.traffic_interval.find(level);
    if (mine == to.traffic_interval.end() && theirs == from.traffic_interval.end()) {
      continue;
    }
    const auto known = to.traffic.find(level);
    const std::uint64_t before = known == to.traffic.end() ? 0 : known->second.total();
    TrafficInterval sum =
        mine == to.traffic_interval.end() ? TrafficInterval{before, before} : mine->second;
    add(sum, theirs == from.traffic_interval.end()
                 ? TrafficInterval{traffic.total(), traffic.total()}
                 : theirs->second);
    to.traffic_interval[level] = sum;
  }
}

void add_sharing(std::optional<LineSharing>& to, const std::optional<LineSharing>& from) {
  if (!from) {
    return;
  }
  LineSharing sum = to.value_or(LineSharing{});
  add(sum.lines, from->lines);
  add(sum.falsely, from->falsely);
  add(sum.truly, from->truly);
  add(sum.invalidations, from->invalidations);
  add(sum.turns, from->turns);
  to = sum;
}

void add_traffic_of(Region& to, const Region& from) {
  add_intervals(to, from);
  add(to.traffic, from.traffic);
  add(to.least_traffic, from.least_traffic);
  add(to.traffic_at_share, from.traffic_at_share);
  for (const auto& [name, levels] : from.traffic_elsewhere) {
    add(to.traffic_elsewhere[name], levels);
  }
  if (to.traffic_mode != TrafficMode::sampled && from.traffic_mode) {
    to.traffic_mode = from.traffic_mode;
  }
  add_curve(to.miss_curve, from.miss_curve);
  add_sharing(to.sharing, from.sharing);
  add_items(
      to.memory_nodes, from.memory_nodes,
      [](const NodeLines& a, const NodeLines& b) {
        return a.thread_node == b.thread_node && a.memory_node == b.memory_node;
      },
      [](NodeLines& a, const NodeLines& b) { add(a.samples, b.samples); });
}

void add_waits(Region& to, const Region& from) {
  if (from.page_faults) {
    PageFaults sum = to.page_faults.value_or(PageFaults{});
    add(sum.value, from.page_faults->value);
    add(sum.low, from.page_faults->low);
    add(sum.high, from.page_faults->high);
    add(sum.major, from.page_faults->major);
    sum.kernel_seconds += from.page_faults->kernel_seconds;
    to.page_faults = sum;
  }
  if (from.wait_causes) {
    WaitCauses sum = to.wait_causes.value_or(WaitCauses{});
    sum.imbalance += from.wait_causes->imbalance;
    sum.serial += from.wait_causes->serial;
    sum.oversubscribed += from.wait_causes->oversubscribed;
    sum.busy += from.wait_causes->busy;
    sum.unexplained += from.wait_causes->unexplained;
    to.wait_causes = sum;
  }
  add(to.caused_wait_seconds, from.caused_wait_seconds);
  add(to.waited_seconds, from.waited_seconds);
  add(to.kernel_seconds, from.kernel_seconds);
  add(to.share_seconds, from.share_seconds);
}

bool is_longer(const Region& a, const Region& b) {
  return a.time_seconds.self &&
         (!b.time_seconds.self || a.time_seconds.self->value > b.time_seconds.self->value);
}

/// What one rank alone can say.
void take_details(Region& to, const Region& from) {
  to.asleep_seconds = from.asleep_seconds;
  to.callers = from.callers;
  to.thread_work = from.thread_work;
  to.lines = from.lines;
  to.hottest_block = from.hottest_block;
  to.line_use = from.line_use;
}

}  // namespace

void add_region(Region& to, const Region& from) {
  if (is_longer(from, to)) {
    take_details(to, from);
  }
  add_work(to, from);
  add_evidence(to, from);
  add_traffic_of(to, from);
  add_waits(to, from);
  add(to.cpu_seconds.self, from.cpu_seconds.self);
  add(to.cpu_seconds.inclusive, from.cpu_seconds.inclusive);
  keep_longer(to.time_seconds.self, from.time_seconds.self);
  keep_longer(to.time_seconds.inclusive, from.time_seconds.inclusive);
  to.threads += from.threads;
  to.partial = to.partial || from.partial;
}

void drop_parts(Region& region, const std::array<unsigned, kFigureGroups.size()>& with,
                std::size_t ranks) {
  for (std::size_t i = 0; i < kFigureGroups.size(); ++i) {
    const FigureGroup group = kFigureGroups[i];
    const bool must_be_whole = group == FigureGroup::work || group == FigureGroup::traffic;
    if (must_be_whole && with[i] > 0 && with[i] < ranks) {
      take_figures(group, region, Region());
      region.notes.push_back({"work-of-some-ranks",
                              fmt::format("{} is known of {} of the {} ranks that came here, so it "
                                          "is left out",
                                          to_string(group), with[i], ranks)});
    }
  }
}

}  // namespace ridge::measure
