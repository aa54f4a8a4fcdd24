#include "core/value/resource_prediction.hpp"

namespace ridge {

std::string_view to_string(RoofStanding standing) {
  switch (standing) {
    case RoofStanding::above_roof:
      return "above_roof";
    case RoofStanding::near_roof:
      return "near_roof";
    case RoofStanding::in_interval:
      return "in_interval";
    case RoofStanding::below:
      break;
  }
  return "below";
}

}  // namespace ridge
