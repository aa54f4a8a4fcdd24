#include "core/value/loop_model.hpp"

#include <algorithm>

namespace ridge {

std::string_view to_string(TrafficMethod method) {
  return std::ranges::find(kTrafficMethodTable, method,
                           &std::pair<TrafficMethod, std::string_view>::first)
      ->second;
}

double flops_of(const LoopModel& model) {
  double flops = 0.0;
  for (const ModelledOperation& operation : model.operations) {
    if (!operation.precision.empty()) {
      flops += operation.count * (operation.what == "fma" ? 2.0 : 1.0);
    }
  }
  return flops;
}

}  // namespace ridge
