// Results of a program held against each other, loop by loop. Pure. How loops are matched, what a
// spread is and what cannot be compared: docs/decisions/0130 to 0132.
#pragma once

#include <string>
#include <vector>

#include "core/value/comparison.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

struct ResultToCompare {
  std::string label;  ///< unique
  const Profile* profile = nullptr;
  const Prediction* prediction = nullptr;
};

/// At least two results, oldest first.
[[nodiscard]] Comparison compare(const std::vector<ResultToCompare>& results);

}  // namespace ridge::predict
