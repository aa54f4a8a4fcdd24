// A run of the program under an engine: same input again, output thrown away.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "measure/binary/engine.hpp"
#include "measure/binary/record/record.hpp"
#include "measure/run/input_replay.hpp"
#include "measure/source.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {

struct EngineRun {
  platform::ExitStatus status;
  std::vector<Record> records;  ///< of all processes, in order of their numbers
  Seconds took;
  bool over_time = false;            ///< it was ended by us, since it took too long
  bool skipped = false;              ///< the user ended it
  std::vector<std::string> damaged;  ///< records that cannot be read, and why
};

/// Processes that went on as another program, of which there is no record: the engine was killed
/// there, or could not follow.
[[nodiscard]] std::size_t lost_processes(std::span<const Record> records);

struct EngineRunOptions {
  RunOfProgram run = RunOfProgram::counts;  ///< as told to Request::progress
  std::optional<Seconds> most;              ///< it is ended then
  std::optional<SecondsRange> expected;
  bool real_streams = false;  ///< it is the only run: nothing is thrown away
};

/// Errors: what keeps the engine from being started (unavailable).
[[nodiscard]] Result<EngineRun> run_engine(const Engine& engine, const EngineJob& job,
                                           const Request& request, InputReplay& input,
                                           const EngineRunOptions& options);

}  // namespace ridge::measure::binary
