// The dots of a predicted computation on a roofline chart.
#pragma once

#include <optional>
#include <vector>

#include "core/value/kernel_prediction.hpp"
#include "core/value/roofline_chart.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Where the dots of a computation stand.
struct DotChoices {
  std::vector<Level> levels;      ///< the outermost of these; empty: the main memory
  std::optional<double> seconds;  ///< measured on this machine
};

/// What the roofs allow `head` on the machine that `prediction` is for, and what was measured. The
/// intensity is work over the bytes that cross the boundary of that level there, write-allocate
/// included; where the machine has no such level, over the least traffic. Empty without work or
/// traffic.
[[nodiscard]] std::vector<RooflineDot> roofline_dots(const KernelPrediction& head,
                                                     const TargetMachine& target,
                                                     const ResourcePrediction& prediction,
                                                     const DotChoices& choices);

}  // namespace ridge::predict
