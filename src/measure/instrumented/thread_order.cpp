#include "measure/instrumented/thread_order.hpp"

#include <cstdint>

namespace ridge::measure {
namespace {

constexpr double kSameShare = 0.01;       ///< of a region's work that may move between threads
constexpr double kWorthALook = 0.01;      ///< of the program's bytes
constexpr std::uint64_t kAllowance = 10;  ///< one in so many bytes, to both sides

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

void set_traffic_intervals(Region& region) {
  for (const auto& [level, traffic] : region.traffic) {
    if (level != "L1") {
      const std::uint64_t bytes = traffic.total();
      const std::uint64_t allowance = bytes / kAllowance;
      region.traffic_interval[level] = {bytes - allowance, bytes + allowance};
    }
  }
}

}  // namespace ridge::measure
