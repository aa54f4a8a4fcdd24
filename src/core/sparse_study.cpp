#include "core/sparse_study.hpp"

#include <algorithm>
#include <cmath>

namespace ridge {

std::vector<int> shades_of(const SparsePicture& picture, int levels) {
  double least = 0;
  double most = 0;
  for (const double density : picture.densities) {
    if (density > 0) {
      least = least > 0 ? std::min(least, density) : density;
      most = std::max(most, density);
    }
  }
  std::vector<int> shades;
  shades.reserve(picture.densities.size());
  for (const double density : picture.densities) {
    const double share = most > least ? std::log(density / least) / std::log(most / least) : 1.0;
    shades.push_back(density > 0 ? static_cast<int>(std::lround(share * (levels - 1))) : -1);
  }
  return shades;
}

}  // namespace ridge
