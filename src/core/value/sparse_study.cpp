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

std::optional<ShadedPicture> shaded(const SparsePicture& picture) {
  const DensityScale scale = density_scale(picture.densities);
  if (!(scale.most > 0)) {
    return std::nullopt;
  }
  ShadedPicture made{scale.least, scale.most, std::vector<std::string>(picture.height)};
  const std::vector<int> shades = shades_of(picture.densities, kPictureShades);
  for (std::size_t i = 0; i < shades.size(); ++i) {
    made.rows[i / picture.width] += shades[i] < 0 ? '.' : static_cast<char>('0' + shades[i]);
  }
  return made;
}

SparsePicture unshaded(const ShadedPicture& picture) {
  constexpr int kLast = kPictureShades - 1;
  const auto density_of = [&](char digit) {
    const int shade = digit - '0';
    return digit == '.'     ? 0.0
           : shade == kLast ? picture.most
           : shade == 0     ? picture.least
                            : picture.least * std::pow(picture.most / picture.least,
                                                       static_cast<double>(shade) / kLast);
  };
  SparsePicture made{.width = picture.rows.empty() ? 0 : picture.rows.front().size(),
                     .height = picture.rows.size(),
                     .densities = {}};
  for (const std::string& row : picture.rows) {
    for (const char digit : row) {
      made.densities.push_back(density_of(digit));
    }
  }
  return made;
}

}  // namespace ridge
