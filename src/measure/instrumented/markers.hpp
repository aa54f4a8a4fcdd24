// Markers of one process, from its part of the arena. A marker holds what counters and traffic grew
// by between its starts and stops (abi/layout.h); what is still open grows until now.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "abi/layout.h"
#include "measure/instrumented/arena_view.hpp"
#include "measure/instrumented/counts.hpp"

namespace ridge::measure {

/// In the stacks of samples a marker has this number plus its index, beyond those of regions.
constexpr std::uint32_t kMarkerBase = RIDGE_REGION_CAPACITY;

struct RawMarker {
  std::string_view name;  ///< in the arena, which must outlive it
  Counts counts;          ///< of everything that ran inside; entries are the starts
  /// Of the process while at least one thread was in it, as RawProcess::traffic and ::sampled.
  ridge_region_traffic traffic{};
  ridge_region_traffic sampled{};
  bool is_open = false;               ///< somebody is in it
  bool of_one_thread = false;         ///< some visits hold the work of their own thread only
  std::uint64_t stops_alone = 0;      ///< stops without a start
  std::uint64_t stopped_by_end = 0;   ///< visits that the end of their thread stopped
  std::vector<std::uint64_t> values;  ///< by counter of the process; fewer: the rest is 0
};

/// Without counts, and with the traffic of visits that are over. `threads`: offsets of their
/// blocks.
[[nodiscard]] std::vector<RawMarker> read_markers(ArenaBytes arena,
                                                  const ridge_process_record& process,
                                                  const std::vector<std::uint64_t>& threads);

/// Adds what the counters of one module say.
struct MarkedModule {
  std::uint32_t counter_base;
  const Descriptor& descriptor;
  const MachineCounts& machine;
};
void add_marker_counts(const MarkedModule& module, std::vector<RawMarker>& markers);

/// Adds the traffic of visits that go on. `traffic` and `sampled`: of all regions of the process.
void finish_marker_traffic(const std::vector<ridge_region_traffic>& traffic,
                           const std::vector<ridge_region_traffic>& sampled,
                           std::vector<RawMarker>& markers);

/// Markers that the thread at this offset is in, outermost first.
[[nodiscard]] std::vector<ridge_open_marker> open_markers(ArenaBytes arena, std::uint64_t thread);

}  // namespace ridge::measure
