// Definition of the one template of estimate.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include "core/quantity/estimate.hpp"

namespace ridge {

template <class Q>
std::optional<Estimate<Q>> estimate_from(std::vector<double> samples, Origin origin) {
  if (samples.empty()) {
    return std::nullopt;
  }
  std::sort(samples.begin(), samples.end());
  const Q p90{quantile(samples, 0.9)};
  return Estimate<Q>{
      Q{quantile(samples, 0.5)}, p90, Q{quantile(samples, 0.1)}, p90, samples.size(), origin};
}

}  // namespace ridge
