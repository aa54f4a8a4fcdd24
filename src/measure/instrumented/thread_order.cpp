#include "measure/instrumented/thread_order.hpp"

#include <algorithm>
#include <cstdint>

namespace ridge::measure {
namespace {

constexpr double kSameShare = 0.01;       ///< of a region's work that may move between threads
constexpr double kWorthALook = 0.01;      ///< of the program's bytes
constexpr std::uint64_t kAllowance = 10;  ///< one in so many bytes, to both sides
/// And one in so many of the bytes between two placements of tasks, since the order of the tasks of
/// one core matters too. Chosen so that the runs of docs/decisions/0128 hold, not derived.
constexpr std::uint64_t kBetween = 4;

double bytes_of(const CountsByThread& threads) {
  double sum = 0.0;
  for (const auto& [thread, counts] : threads) {
    sum += static_cast<double>(counts.bytes);
  }
  return sum;
}

/// Bytes that another thread moved than in the other run.
double moved_between(const CountsByThread& a, const CountsByThread& b) {
  double moved = 0.0;
  for (const auto& [thread, counts] : a) {
    const auto there = b.find(thread);
    const auto others = there == b.end() ? std::uint64_t{0} : there->second.bytes;
    moved += counts.bytes > others ? static_cast<double>(counts.bytes - others) : 0.0;
  }
  return moved;
}

/// With the allowances to both sides.
TrafficInterval around(std::uint64_t least, std::uint64_t most) {
  const std::uint64_t between = (most - least) / kBetween;
  const std::uint64_t below = std::min(least, least / kAllowance + between);
  const std::uint64_t above = most / kAllowance + between;
  return {least - below, most > UINT64_MAX - above ? UINT64_MAX : most + above};
}

}  // namespace

bool depends_on_order(const RegionTable& first, const SecondRun& second) {
  if (second.divides_freely()) {
    return true;
  }
  double all = 0.0;
  for (const MergedRegion& region : first.regions) {
    all += bytes_of(region.by_thread);
  }
  for (const MergedRegion& region : first.regions) {
    const double bytes = bytes_of(region.by_thread);
    const SecondRun::Entry* entry = second.find(region.identity);
    if (entry != nullptr && bytes > kWorthALook * all &&
        moved_between(region.by_thread, entry->by_thread) > kSameShare * bytes) {
      return true;
    }
  }
  return false;
}

void set_traffic_intervals(Region& region, const std::vector<TrafficByLevel>& placed) {
  for (const auto& [level, traffic] : region.traffic) {
    if (level == "L1") {
      continue;
    }
    std::uint64_t least = traffic.total();
    std::uint64_t most = least;
    for (const TrafficByLevel& levels : placed) {
      if (const auto found = levels.find(level); found != levels.end()) {
        least = std::min(least, found->second.total());
        most = std::max(most, found->second.total());
      }
    }
    region.traffic_interval[level] = around(least, most);
  }
}

}  // namespace ridge::measure
