// Kernels and computations on the roofs of one or several machines.
#pragma once

#include <vector>

#include "core/value/kernel_prediction.hpp"
#include "render/chart/chart.hpp"

namespace ridge::render {

/// Of one machine: the roofs of all levels, and a dot of each computation at each of them. Of
/// several (at most one less than there are looks; the rest is left out and said so): the roof of
/// the main memory of each up to its peak, and a dot at the traffic of that memory; where data stay
/// in a cache, the roof of this cache too, and the dot at its traffic. Dots stand at
/// the attainable performance and are hollow where a measured one stands beside them. What has no
/// work or no traffic is not drawn.
[[nodiscard]] Chart prediction_chart(const std::vector<KernelPrediction>& predictions);

}  // namespace ridge::render
