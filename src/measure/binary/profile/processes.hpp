// The processes of a program as it is, one by one: what each took, and what each did. Pure.
#pragma once

#include <span>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/binary/record/record.hpp"
#include "measure/binary/runs/timed_run.hpp"

namespace ridge::measure::binary {

/// The program first, then its descendants in the order in which they were seen. Those of two runs
/// are the same process where rank and program are, and of those without a rank where the command
/// line is and nobody else has it; never by the order in which they began. `work`: by record, what
/// its process did; empty where nothing was counted.
[[nodiscard]] std::vector<Process> processes_of(const TimedRun& timed,
                                                const std::vector<std::string>& argv,
                                                std::span<const Record> records,
                                                std::span<const RegionWork> work);

}  // namespace ridge::measure::binary
