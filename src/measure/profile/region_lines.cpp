#include "measure/profile/region_lines.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "measure/profile/simulated_caches.hpp"

namespace ridge::measure {
namespace {

/// Sampled lines below which a share says little: one stands for 64 lines, 4 KiB.
constexpr std::uint64_t kLinesForUse = 16;
constexpr std::uint64_t kLinesForCurve = 64;
/// The simulation remembers lines for this multiple of the last level.
constexpr std::uint64_t kBeyondLastLevel = 4;

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/// All first-level misses of the sample.
std::uint64_t seen(const ridge_region_lines& lines) {
  return std::accumulate(std::begin(lines.held), std::end(lines.held), lines.not_held,
                         add_saturating);
}

void set_curve(Region& region, const ridge_region_lines& lines, const Machine& machine) {
  const std::uint64_t all = seen(lines);
  const auto below_first = region.traffic.find(boundaries_of(machine).front());
  if (all < kLinesForCurve || below_first == region.traffic.end() || machine.caches.empty()) {
    return;
  }
  const auto read = static_cast<double>(below_first->second.read);
  const std::uint64_t most = kBeyondLastLevel * machine.caches.back().size_bytes;
  std::uint64_t missed = all;
  for (std::uint32_t point = 0; point < RIDGE_CURVE_POINTS && ridge_curve_capacity(point) <= most;
       ++point) {
    const std::uint64_t before = missed;
    missed -= lines.held[point];
    if (missed != before || point == 0) {
      const double share = static_cast<double>(missed) / static_cast<double>(all);
      region.miss_curve.push_back(
          {ridge_curve_capacity(point), static_cast<std::uint64_t>(std::llround(share * read))});
    }
  }
}

}  // namespace

void add_lines(ridge_region_lines& a, const ridge_region_lines& b) {
  a.fetched = add_saturating(a.fetched, b.fetched);
  a.used_bytes = add_saturating(a.used_bytes, b.used_bytes);
  for (std::size_t point = 0; point < RIDGE_CURVE_POINTS; ++point) {
    a.held[point] = add_saturating(a.held[point], b.held[point]);
  }
  a.not_held = add_saturating(a.not_held, b.not_held);
  a.shared = add_saturating(a.shared, b.shared);
  a.shared_falsely = add_saturating(a.shared_falsely, b.shared_falsely);
  a.shared_truly = add_saturating(a.shared_truly, b.shared_truly);
  a.invalidations = add_saturating(a.invalidations, b.invalidations);
}

void set_lines(Region& region, const ridge_region_lines& lines, std::uint64_t accesses,
               const Machine& machine) {
  const double line_bytes = machine.caches.empty() ? 0.0 : machine.caches.front().line_bytes;
  const double fetched_bytes = line_bytes * static_cast<double>(lines.fetched);
  const auto used_bytes = static_cast<double>(lines.used_bytes);
  if (lines.fetched >= kLinesForUse && used_bytes <= fetched_bytes) {
    region.line_use = used_bytes / fetched_bytes;
  }
  if (seen(lines) < UINT64_MAX) {
    set_curve(region, lines, machine);
  }
  if (lines.shared > 0 &&
      add_saturating(lines.shared_falsely, lines.shared_truly) <= lines.shared) {
    region.sharing = LineSharing{lines.shared, lines.shared_falsely, lines.shared_truly,
                                 lines.invalidations, accesses / RIDGE_TURN_ACCESSES};
  }
}

}  // namespace ridge::measure
