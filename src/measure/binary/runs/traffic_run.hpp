// The run under an engine that simulates, and another one where the first cannot stand.
#pragma once

#include <optional>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "measure/binary/profile/binary_profile.hpp"
#include "measure/binary/runs/work_folder.hpp"
#include "measure/run/input_replay.hpp"
#include "measure/source.hpp"

namespace ridge::measure::binary {

/// What is known before it.
struct TrafficInput {
  const Engine* engine = nullptr;
  const TimedRun* timed = nullptr;     ///< nullptr: another start
  const EngineRun* counted = nullptr;  ///< likewise
  const ProgramCode* code = nullptr;
  std::vector<std::pair<std::string, std::string>> variables;  ///< for the program
};

/// Which lines are simulated follows docs/decisions/0230 as for instrumented programs. Why there is
/// no traffic, or why it took another run, is a note. nullopt: there is none.
[[nodiscard]] std::optional<SimulatedRun> simulate(const Request& request, const Machine& machine,
                                                   const TrafficInput& known,
                                                   const WorkFolder& folder, CodeFiles& files,
                                                   InputReplay& input, std::vector<Note>& notes);

/// A run that is the only one of its start.
struct LoneSimulation {
  platform::ExitStatus status;
  std::optional<SimulatedRun> simulated;  ///< nullopt: a note says why
};

/// On the real streams, of the lines that are asked for; of `known` without the earlier runs.
/// Errors: what keeps the engine from being started.
[[nodiscard]] Result<LoneSimulation> simulate_alone(const Request& request, const Machine& machine,
                                                    const TrafficInput& known,
                                                    const WorkFolder& folder, CodeFiles& files,
                                                    InputReplay& input, std::vector<Note>& notes);

}  // namespace ridge::measure::binary
