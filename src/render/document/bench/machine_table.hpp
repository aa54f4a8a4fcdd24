// What `ridge bench` measured, in a terminal.
#pragma once

#include <string>

#include "core/value/machine.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Topology, caches and clock, then the ceilings by kind: p90, traffic rate (bandwidth), median,
/// spread (high - low over median), percent of the theoretical
/// limit, origin, flags. Narrow terminals lose, in this order: origin, spread, median, traffic
/// rate.
[[nodiscard]] std::string machine_table(const Machine& machine, const TextStyle& style);

/// The machine in three lines: name, topology, clock.
[[nodiscard]] std::string machine_header(const Machine& machine, const TextStyle& style);

}  // namespace ridge::render
