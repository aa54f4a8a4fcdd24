#include "core/quantity/estimate.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace ridge {
namespace {

constexpr std::array<std::pair<Origin, std::string_view>, 6> kOrigins{{
    {Origin::measured, "measured"},
    {Origin::counted, "counted"},
    {Origin::simulated, "simulated"},
    {Origin::modelled, "modelled"},
    {Origin::datasheet, "datasheet"},
    {Origin::assumed, "assumed"},
}};

}  // namespace

std::string_view to_string(Origin origin) {
  return kOrigins.at(static_cast<std::size_t>(origin)).second;
}

double quantile(const std::vector<double>& sorted, double fraction) {
  assert(!sorted.empty());
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  if (below + 1 >= sorted.size()) {
    return sorted.back();
  }
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[below + 1] - sorted[below]);
}

Interval wilson_interval_80(double hits, double trials) {
  assert(trials > 0.0);
  constexpr double z = 1.2815515655446004;
  const double p = hits / trials;
  const double denominator = 1.0 + z * z / trials;
  const double centre = (p + z * z / (2.0 * trials)) / denominator;
  const double half =
      z * std::sqrt(p * (1.0 - p) / trials + z * z / (4.0 * trials * trials)) / denominator;
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace ridge
