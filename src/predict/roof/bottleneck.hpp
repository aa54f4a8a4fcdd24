// The resource bottleneck model: every resource needs T_i = W_i / R_i + lambda_i, and the whole
// takes between the largest of them (full overlap) and their sum (none).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/value/resource_prediction.hpp"

namespace ridge::predict {

/// amount / rate + latency; 0 for a resource that is not used.
[[nodiscard]] double resource_seconds(double amount, double rate, double latency = 0.0);

/// The times of all resources together. max <= ecm <= sum.
struct CombinedTime {
  double max = 0.0;  ///< largest of the times that overlap, plus those that do not
  double ecm = 0.0;  ///< max(arithmetic, sum of the data transfers), plus those that do not overlap
  double sum = 0.0;
  std::optional<std::size_t> binding;  ///< index of the largest; of equal ones the first
  std::optional<std::size_t> next;     ///< of the second largest that is used
};
[[nodiscard]] CombinedTime combine(std::span<const ResourceTime> resources);

/// min(peak, intensity x bandwidth): the naive roofline (Williams et al. 2009).
[[nodiscard]] double naive_roof(double peak, double bandwidth, double intensity);

}  // namespace ridge::predict
