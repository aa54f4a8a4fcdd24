// The first run: the program untouched, on the real streams, its threads sampled from outside.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <vector>

#include "core/result.hpp"
#include "core/value/note.hpp"
#include "measure/binary/profile/sampled_code.hpp"
#include "measure/calls/call_records.hpp"
#include "measure/run/input_replay.hpp"
#include "measure/run/process_identity.hpp"
#include "measure/source.hpp"
#include "platform/address_sampler.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure::binary {

struct TimedRun {
  platform::ExitStatus status;
  pid_t pid = 0;
  double wall_seconds = 0.0;  ///< up to the end of the last process that was waited for
  /// Of all descendants; nullopt while some still run.
  std::optional<platform::UsageOfTree> usage;
  SampledCode samples;
  std::vector<ProcessIdentity> processes;  ///< like samples.processes; without argv: ended too soon
  std::vector<platform::StackSample> stacks;       ///< some of them, each with the same chance
  std::vector<platform::CodeMapping> mappings;     ///< that they refer to
  std::optional<platform::SamplingMethod> method;  ///< nullopt: nobody could sample
  std::chrono::nanoseconds interval{};
  std::uint64_t lost = 0;
  std::uint64_t throttled = 0;
  bool waited = false;  ///< processes that outlived the program were waited for
  std::vector<platform::LivingProcess> left;  ///< that still ran when we stopped waiting
  std::vector<RecordedProcess> calls;         ///< of what Request asks to record
  std::vector<Note> notes;                    ///< why it could not be sampled
};

/// `variables` are added to the program's environment. Errors: only what keeps the program from
/// being started.
[[nodiscard]] Result<TimedRun> run_timed(
    const Request& request, InputReplay* input,
    const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace ridge::measure::binary
