#include "core/value/prediction.hpp"

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

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::arithmetic:
      return "arithmetic";
    case VerdictKind::bandwidth:
      return "bandwidth";
    case VerdictKind::latency:
      return "latency";
    case VerdictKind::calls:
      return "calls";
    case VerdictKind::library:
      return "library";
    case VerdictKind::blocked:
      return "blocked";
    case VerdictKind::asleep:
      return "asleep";
    case VerdictKind::kernel:
      return "kernel";
    case VerdictKind::no_traffic:
      return "no-traffic";
    case VerdictKind::no_roof:
      return "no-roof";
    case VerdictKind::few_samples:
      return "few-samples";
    case VerdictKind::partial:
      return "partial";
  }
  return "";
}

bool is_withheld(VerdictKind kind) {
  return kind >= VerdictKind::no_traffic;
}

bool is_outside_code(VerdictKind kind) {
  return kind == VerdictKind::asleep || kind == VerdictKind::kernel;
}

const std::vector<Finding>& findings_of(const RegionPrediction* prediction) {
  static const std::vector<Finding> kNone;
  return prediction != nullptr ? prediction->findings : kNone;
}

bool is_outside_code(const RegionPrediction* prediction) {
  return prediction != nullptr && prediction->verdict && is_outside_code(prediction->verdict->kind);
}

const RegionPrediction* find_prediction(const Prediction& prediction, std::uint32_t region) {
  const auto found =
      std::find_if(prediction.regions.begin(), prediction.regions.end(),
                   [&](const RegionPrediction& entry) { return entry.region == region; });
  return found == prediction.regions.end() ? nullptr : &*found;
}

}  // namespace ridge
