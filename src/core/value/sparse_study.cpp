#include "core/value/sparse_study.hpp"

#include <algorithm>
#include <cmath>

namespace ridge {

double DensityScale::share(double density) const {
  if (!(least < most)) {
    return 1;
  }
  const double share = std::log(density / least) / std::log(most / least);
  // Not a number for the most where most / least is infinite.
  return share < 1 ? std::max(share, 0.0) : 1;
}

DensityScale density_scale(std::span<const double> densities) {
  DensityScale scale;
  for (const double density : densities) {
    if (density > 0) {
      scale.least = scale.least > 0 ? std::min(scale.least, density) : density;
      scale.most = std::max(scale.most, density);
    }
  }
  return scale;
}

std::vector<int> shades_of(std::span<const double> densities, int levels) {
  const DensityScale scale = density_scale(densities);
  std::vector<int> shades;
  shades.reserve(densities.size());
  for (const double density : densities) {
    shades.push_back(
        density > 0 ? static_cast<int>(std::lround(scale.share(density) * (levels - 1))) : -1);
  }
  return shades;
}

}  // namespace ridge
