// The runs of a program as it is become one Profile. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "measure/binary/engine.hpp"
#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/profile/simulated_run.hpp"
#include "measure/binary/program_code.hpp"
#include "measure/binary/runs/engine_run.hpp"
#include "measure/binary/runs/timed_run.hpp"

namespace ridge::measure::binary {

struct ProfileInput {
  std::vector<std::string> argv;
  std::string program_file;  ///< path as mappings have it
  std::string date;          ///< ISO 8601, UTC
  const Machine* machine = nullptr;
  const TimedRun* timed = nullptr;
  const Engine* engine = nullptr;           ///< that counted
  const EngineRun* counted = nullptr;       ///< nullptr: it could not
  const SimulatedRun* simulated = nullptr;  ///< nullptr: there is no traffic
  const ProgramCode* code = nullptr;
  std::vector<RegionWork> process_work;  ///< like counted->records; empty: one process, or too many
  std::vector<std::uint32_t> calling_regions;  ///< numbers: kept whatever they took and did
  bool times_elsewhere = false;  ///< another start was timed: regions are kept by what they did
  std::vector<CachesElsewhere> also;
  std::vector<Note> notes;  ///< of the runs themselves, kept in front
};

/// `numbers`, unless it is null: by region of the profile its number in the program's code,
/// kNoRegion where it is none of them.
[[nodiscard]] Profile binary_profile(const ProfileInput& input,
                                     std::vector<std::uint32_t>* numbers = nullptr);

}  // namespace ridge::measure::binary
