// Which run for traffic is worth its time, said before it starts (docs/decisions/0230). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "abi/layout.h"
#include "core/quantity/units.hpp"
#include "core/value/note.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

/// What is known of the work once the first run has ended.
struct FirstRun {
  std::uint64_t bytes = 0;  ///< loaded and stored, by all threads of all processes
  Seconds cpu_seconds;      ///< of all threads; where unknown, the wall time
};

/// Wall time of a run that simulates all lines, here and on the caches of so many other machines.
/// From programs measured with `benchmarks/sampling` (docs/decisions/0230): eight of ten lie
/// within.
[[nodiscard]] SecondsRange exact_time(const FirstRun& first, std::size_t elsewhere);

struct TrafficPlan {
  std::optional<ridge_traffic_mode> mode;  ///< nullopt: no run, and `note` says why
  SecondsRange expected;                   ///< of that run
  /// A sampled run that turns out not to speak for all is followed by one of all lines.
  bool may_repeat = false;
  std::optional<Seconds> most;  ///< all runs for traffic together; they are ended then
  std::optional<Note> note;
};

/// `can_sample`: these caches have classes of lines that never meet (sample_mask).
[[nodiscard]] TrafficPlan plan_traffic(const Request& request, const FirstRun& first,
                                       bool can_sample);

}  // namespace ridge::measure
