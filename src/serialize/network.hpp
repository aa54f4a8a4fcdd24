// `ridge.network/1`: a neural network layer by layer, and its time on machines.
#pragma once

#include <string>
#include <vector>

#include "core/value/network.hpp"

namespace ridge::serialize {

/// Each of `times` has one entry per layer of the network.
[[nodiscard]] std::string write_network(const Network& network,
                                        const std::vector<NetworkTimes>& times);

}  // namespace ridge::serialize
