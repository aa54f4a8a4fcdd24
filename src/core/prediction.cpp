#include "core/prediction.hpp"

#include <algorithm>

namespace ridge {

std::string_view to_string(BoundUnit unit) {
  switch (unit) {
    case BoundUnit::flops_per_second:
      return "flop/s";
    case BoundUnit::bytes_per_second:
      return "byte/s";
    case BoundUnit::intops_per_second:
      return "intop/s";
  }
  return "";
}

const RegionPrediction* find_prediction(const Prediction& prediction, std::uint32_t region) {
  const auto found =
      std::find_if(prediction.regions.begin(), prediction.regions.end(),
                   [&](const RegionPrediction& entry) { return entry.region == region; });
  return found == prediction.regions.end() ? nullptr : &*found;
}

}  // namespace ridge
