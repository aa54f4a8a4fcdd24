// A neural network on machines, in a terminal.
#pragma once

#include <string>
#include <vector>

#include "core/value/network.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// One machine: a line per layer with its work, bytes (weights, read, written), intensity, binding
/// roof, time and share; views and constants, which move nothing, in one line below. Several
/// machines: a line for each, the fastest first. Then sums, roofs with their origin, remarks, and
/// what is assumed. `times` must not be empty.
[[nodiscard]] std::string network_table(const Network& network,
                                        const std::vector<NetworkTimes>& times,
                                        const TextStyle& style);

}  // namespace ridge::render
