// Labels along an axis that must not touch.
#pragma once

#include <vector>

namespace ridge::render {

/// Moves `wanted` positions (any order) apart until neighbours differ by at least `gap`, keeping
/// their order and moving as little as needed, inside [low, high] where that is possible at all.
[[nodiscard]] std::vector<double> spread_apart(const std::vector<double>& wanted, double gap,
                                               double low, double high);

}  // namespace ridge::render
