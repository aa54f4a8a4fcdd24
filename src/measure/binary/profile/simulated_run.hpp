// What a run under an engine that simulates says, over all of its processes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "abi/layout.h"
#include "measure/binary/code/module_work.hpp"
#include "measure/binary/runs/engine_run.hpp"
#include "measure/profile/line_sample.hpp"

namespace ridge::measure::binary {

/// The run that simulated.
struct SimulatedRun {
  EngineRun run;
  std::vector<ModuleWork> work;  ///< by region of the program, in that run
  std::uint64_t sample_mask = 0;
};

/// What all processes of a run simulated, by region of the plan.
[[nodiscard]] SimulatedTraffic simulated_traffic(const SimulatedRun& simulated,
                                                 std::uint32_t region_count,
                                                 std::size_t memory_boundary);

/// Of the lines of each region of the plan.
[[nodiscard]] std::map<std::uint64_t, ridge_region_lines> simulated_lines(
    std::span<const Record> records);

/// Traffic of these regions of the plan, or of all where there are none, on other caches (index
/// into the plan's); nullopt where some process did not simulate them.
[[nodiscard]] std::optional<ridge_region_traffic> traffic_elsewhere(
    std::span<const Record> records, std::uint32_t caches, const std::set<std::uint32_t>& regions);

}  // namespace ridge::measure::binary
