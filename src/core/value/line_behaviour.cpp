#include "core/value/line_behaviour.hpp"

namespace ridge {

std::optional<std::uint64_t> misses_with(const MissCurve& curve, std::uint64_t capacity_bytes) {
  std::optional<std::uint64_t> misses;
  for (const MissCurvePoint& point : curve) {
    if (point.capacity_bytes <= capacity_bytes) {
      misses = point.misses_bytes;
    }
  }
  return misses;
}

std::optional<MissCurvePoint> capacity_that_saves(const MissCurve& curve,
                                                  std::uint64_t capacity_bytes, double share) {
  const auto now = misses_with(curve, capacity_bytes);
  if (!now || *now == 0) {
    return std::nullopt;
  }
  const double most = (1.0 - share) * static_cast<double>(*now);
  for (const MissCurvePoint& point : curve) {
    if (point.capacity_bytes > capacity_bytes && static_cast<double>(point.misses_bytes) <= most) {
      return point;
    }
  }
  return std::nullopt;
}

}  // namespace ridge
