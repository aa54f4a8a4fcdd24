// Two decoded runs and the samples of the first become one Profile. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "measure/calls/call_records.hpp"
#include "measure/instrumented/decode.hpp"
#include "measure/instrumented/sampler.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure {

/// The first run: real streams, counted and sampled.
struct TimedRun {
  DecodedArena arena;
  SampleSet samples;
  std::int64_t pid = 0;
  platform::ExitStatus status;  ///< neither code nor signal: it has not ended
  double wall_seconds = 0.0;
  std::optional<double> cpu_seconds;      ///< of all descendants, if they have ended
  std::optional<PageFaults> page_faults;  ///< of the same, exact
  bool waited =
      false;  ///< for processes that outlived the program, of which then some were measured
  std::vector<platform::LivingProcess> left_measured;  ///< that still ran when we stopped looking
  std::vector<platform::LivingProcess> left_others;    ///< not measured
  std::vector<RecordedProcess> calls;                  ///< of what Request asks to record
};

/// By process of the first run, then by region id within it: index into Profile::regions, or
/// kNoRegion (regions.hpp).
using RegionsOfRaw = std::vector<std::vector<std::uint32_t>>;

struct ProfileInput {
  std::vector<std::string> argv;
  std::string date;  ///< ISO 8601, UTC
  const Machine* machine = nullptr;
  const TimedRun* timed = nullptr;
  const DecodedArena* traffic = nullptr;  ///< of the second run, nullptr without one
  std::vector<Note> notes;                ///< of the runs themselves, kept in front
  std::vector<CachesElsewhere> also;      ///< simulated in the second run, as decoded there
};

/// `of_raw` is filled unless it is null.
[[nodiscard]] Profile build_profile(const ProfileInput& input, RegionsOfRaw* of_raw = nullptr);

}  // namespace ridge::measure
