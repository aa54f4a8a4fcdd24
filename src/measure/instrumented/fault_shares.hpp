// Page faults and kernel time of threads, shared out over the regions that samples saw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/accumulate.hpp"
#include "measure/instrumented/regions.hpp"

namespace ridge::measure {

/// What the kernel counted for a thread, from its start or between two readings.
struct FaultCounts {
  std::uint64_t minor = 0;
  std::uint64_t major = 0;
  std::uint64_t kernel_ticks = 0;

  [[nodiscard]] bool any() const { return minor + major + kernel_ticks > 0; }
  FaultCounts& operator+=(const FaultCounts& other);
};

/// The sums of one process. Pure: fed with stacks and counts.
class FaultShares {
 public:
  /// `nodes`: the stacks of the samples from one reading to the next, with both ends. `longest`:
  /// the largest time between two of them, in which visits that nobody saw may have begun and
  /// ended.
  void add(std::vector<std::uint32_t> nodes, const FaultCounts& counts, double longest = 0.0);
  /// From before the first reading of a thread: any region may have had them.
  void add_unseen(const FaultCounts& counts) { unseen_ += counts; }

  /// By index into `table`. Each sample counts for the innermost region around it of which a visit
  /// lasts `seconds_per_visit` or more (from `times`): of shorter ones the samples cannot say in
  /// which the faults were, and they have no value of their own.
  [[nodiscard]] std::vector<std::optional<PageFaults>> resolve(
      const StackTable& stacks, const RegionTable& table, const std::vector<RegionTimes>& times,
      double seconds_per_visit, double ticks_per_second) const;

 private:
  /// Nodes, sorted; and the longest gap as a power of two of milliseconds, rounded up.
  using Key = std::pair<std::vector<std::uint32_t>, int>;
  std::map<Key, FaultCounts> counts_by_nodes_;
  FaultCounts unseen_;
};

/// One thread between two readings.
class ThreadFaults {
 public:
  /// `seconds`: since the sample before.
  void sample(std::uint32_t node, double seconds = 0.0) {
    nodes_.push_back(node);
    longest_ = std::max(longest_, seconds);
  }
  /// `now`: since the thread's start. What was before the first reading is anybody's.
  void reading(const FaultCounts& now, FaultShares& into);

 private:
  std::vector<std::uint32_t> nodes_;  ///< since the last reading, beginning with the last before it
  std::optional<FaultCounts> last_;
  double longest_ = 0.0;  ///< between two samples since the last reading [s]
};

}  // namespace ridge::measure
