// A kernel of the catalogue on a machine: the traffic of each level by the caches before it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/value/note.hpp"
#include "core/value/resource_prediction.hpp"
#include "core/value/target_machine.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/projection/residency.hpp"
#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {

/// Traffic at the levels for which the kernel has a formula and the size of the cache before is
/// known; a note says which sizes were used.
[[nodiscard]] LevelTraffic level_traffic(const SizedKernel& kernel, const TargetMachine& target,
                                         std::vector<Note>& notes);

/// Traffic below caches of 16 KiB, 64 KiB ... 1 GiB; a size that changes nothing is left out. Empty
/// when there is no formula.
struct BelowCache {
  double cache_bytes = 0.0;
  StreamTraffic traffic;
};
[[nodiscard]] std::vector<BelowCache> traffic_by_cache(const SizedKernel& kernel);

[[nodiscard]] ResourcePrediction predict_kernel(const SizedKernel& kernel,
                                                const TargetMachine& target,
                                                const PredictionChoices& choices = {});

}  // namespace ridge::predict
