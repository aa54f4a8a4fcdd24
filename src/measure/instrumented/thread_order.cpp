#include "measure/instrumented/thread_order.hpp"

#include <algorithm>
#include <cstdint>

namespace ridge::measure {
namespace {

constexpr double kSameShare = 0.01;       ///< of a region's work that may move between threads
constexpr double kWorthALook = 0.01;      ///< of the program's bytes
constexpr std::uint64_t kAllowance = 10;  ///< one in so many of the run's bytes, to both sides
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

std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// The run's own traffic with its allowance, and what the placements span with theirs: where they
/// differ by more than the run's allowance, the tenth holds for their ends too.
TrafficInterval around(std::uint64_t own, std::uint64_t least, std::uint64_t most,
                       std::uint64_t left_in_caches) {
  const std::uint64_t allowance = own / kAllowance;
  const bool differ = most - least > allowance;
  const std::uint64_t between = (most - least) / kBetween + left_in_caches;
  const std::uint64_t below = between + (differ ? least / kAllowance : 0);
  const std::uint64_t above = between + (differ ? most / kAllowance : 0);
  return {std::min(own - allowance, least - std::min(least, below)),
          std::max(sum_of(own, allowance), sum_of(most, above))};
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

void set_traffic_intervals(Region& region, const PlacedTasks& placed) {
  for (const auto& [level, traffic] : region.traffic) {
    if (level == Level::L1) {
      continue;
    }
    const std::uint64_t own = traffic.total();
    std::uint64_t least = own;
    std::uint64_t most = own;
    for (const TrafficByLevel& levels : placed.traffic) {
      if (const auto found = levels.find(level); found != levels.end()) {
        least = std::min(least, found->second.total());
        most = std::max(most, found->second.total());
      }
    }
    const auto left = placed.left_in_caches.find(level);
    region.traffic_interval[level] =
        around(own, least, most, left == placed.left_in_caches.end() ? 0 : left->second);
  }
}

}  // namespace ridge::measure
