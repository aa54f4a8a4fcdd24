#include "measure/region_figures.hpp"

#include <algorithm>
#include <utility>

namespace ridge::measure {
namespace {

/// What the program loads and stores: counted, and so part of its work.
constexpr Level kCountedLevel = Level::L1;

bool has_times(const SelfAndInclusive& times) {
  return times.self || times.inclusive;
}

bool has_work(const Region& region) {
  const bool was_entered = region.kind != RegionKind::program && region.entries;
  return was_entered || region.flops || region.iterations || region.intops ||
         !region.calls.empty() || !region.opaque.empty() || region.bytes_loaded ||
         region.bytes_stored;
}

bool has_traffic(const Region& region) {
  return std::any_of(region.traffic.begin(), region.traffic.end(),
                     [](const auto& level) { return level.first != kCountedLevel; });
}

bool has_work(const std::vector<ThreadWork>& threads) {
  return std::any_of(threads.begin(), threads.end(), [](const ThreadWork& thread) {
    return thread.flops > 0 || thread.bytes > 0 || thread.iterations > 0;
  });
}

/// The work of one list with the times of another.
std::vector<ThreadWork> joined(const std::vector<ThreadWork>& work,
                               const std::vector<ThreadWork>& times) {
  std::vector<ThreadWork> result;
  if (!has_work(work)) {
    for (const ThreadWork& thread : times) {
      if (thread.cpu_seconds) {
        result.push_back({.thread = thread.thread, .cpu_seconds = thread.cpu_seconds});
      }
    }
    return result;
  }
  const bool are_same =
      std::equal(work.begin(), work.end(), times.begin(), times.end(),
                 [](const ThreadWork& a, const ThreadWork& b) { return a.thread == b.thread; });
  result = work;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].cpu_seconds = are_same ? times[i].cpu_seconds : std::nullopt;
  }
  return result;
}

void take_time(Region& to, const Region& from) {
  to.time_seconds = from.time_seconds;
  to.threads = from.threads;
  to.share_seconds = from.share_seconds;
  to.asleep_seconds = from.asleep_seconds;
}

void take_cpu_time(Region& to, const Region& from) {
  to.cpu_seconds = from.cpu_seconds;
  to.waited_seconds = from.waited_seconds;
  to.kernel_seconds = from.kernel_seconds;
  to.wait_causes = from.wait_causes;
  to.caused_wait_seconds = from.caused_wait_seconds;
  to.page_faults = from.page_faults;
  to.thread_work = joined(to.thread_work, from.thread_work);
}

void take_work(Region& to, const Region& from) {
  static_cast<RegionWork&>(to) = from;
  static_cast<RegionEvidence&>(to) = from;
  static_cast<RegionCode&>(to) = from;
  to.partial = from.partial;
  to.traffic.erase(kCountedLevel);
  if (const auto counted = from.traffic.find(kCountedLevel); counted != from.traffic.end()) {
    to.traffic.insert(*counted);
  }
  to.thread_work = joined(from.thread_work, to.thread_work);
}

void take_traffic(Region& to, const Region& from) {
  TrafficByLevel levels = from.traffic;
  levels.erase(kCountedLevel);
  if (const auto counted = to.traffic.find(kCountedLevel); counted != to.traffic.end()) {
    levels.insert(*counted);
  }
  static_cast<RegionTraffic&>(to) = from;
  to.traffic = std::move(levels);
}

}  // namespace

std::string_view to_string(FigureGroup group) {
  switch (group) {
    case FigureGroup::time:
      return "time";
    case FigureGroup::cpu_time:
      return "CPU time";
    case FigureGroup::work:
      return "work";
    case FigureGroup::traffic:
      return "traffic below L1";
  }
  return "";
}

bool has_figures(const Region& region, FigureGroup group) {
  switch (group) {
    case FigureGroup::time:
      return has_times(region.time_seconds);
    case FigureGroup::cpu_time:
      return has_times(region.cpu_seconds);
    case FigureGroup::work:
      return has_work(region);
    case FigureGroup::traffic:
      return has_traffic(region);
  }
  return false;
}

void take_figures(FigureGroup group, Region& to, const Region& from) {
  switch (group) {
    case FigureGroup::time:
      return take_time(to, from);
    case FigureGroup::cpu_time:
      return take_cpu_time(to, from);
    case FigureGroup::work:
      return take_work(to, from);
    case FigureGroup::traffic:
      return take_traffic(to, from);
  }
}

void drop_times(Profile& profile) {
  for (Region& region : profile.regions) {
    take_figures(FigureGroup::time, region, Region());
    take_figures(FigureGroup::cpu_time, region, Region());
  }
  profile.program.wall_seconds = Seconds(0.0);
  profile.time = {};
}

}  // namespace ridge::measure
