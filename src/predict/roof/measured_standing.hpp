// Where a measured time stands against what a machine could do with the same computation.
#pragma once

#include <optional>
#include <string_view>

#include "core/value/resource_prediction.hpp"

namespace ridge::predict {

/// Fills `prediction.measured` with its sentence, and the share of each resource's rate that was
/// used. Nothing where there is no prediction. `seconds` is positive.
void stand_against(ResourcePrediction& prediction, double seconds);

/// The rate of a resource that would just do its amount in `seconds`: "bandwidth" (of the main
/// memory), "peak" (arithmetic) or the name of a resource. nullopt: no such resource is used.
[[nodiscard]] std::optional<Solved> needed_rate(const ResourcePrediction& prediction,
                                                std::string_view resource, double seconds);
/// The time at a share (above 0) of what is attainable. nullopt: there is no prediction.
[[nodiscard]] std::optional<Solved> time_at_share(const ResourcePrediction& prediction,
                                                  double share);

}  // namespace ridge::predict
