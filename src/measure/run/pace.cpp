#include "measure/run/pace.hpp"

#include <algorithm>

namespace ridge::measure {
namespace {

/// From here on "all counts are there" is all that they say.
constexpr double kAll = 0.99;
/// Twice as many are thinned out, every second of them.
constexpr std::size_t kMost = 256;

}  // namespace

void Pace::add(Seconds elapsed, double share) {
  const double so_far = points_.empty() ? 0.0 : points_.back().share;
  points_.push_back({elapsed, std::clamp(share, so_far, 1.0)});
  if (points_.size() >= 2 * kMost) {
    // The last one stays: it is where we are.
    for (std::size_t i = 0; i < kMost; ++i) {
      points_[i] = points_[2 * i + 1];
    }
    points_.resize(kMost);
  }
}

std::optional<double> Pace::done() const {
  if (points_.empty() || points_.back().share <= 0.0 || points_.back().share >= kAll) {
    return std::nullopt;
  }
  return points_.back().share;
}

std::optional<Seconds> Pace::remaining() const {
  const auto share = done();
  if (!share) {
    return std::nullopt;
  }
  const Seconds now = points_.back().elapsed;
  const auto half = std::find_if(points_.rbegin(), points_.rend(),
                                 [&](const Point& point) { return point.elapsed <= 0.5 * now; });
  const Point from = half != points_.rend() ? *half : Point{};
  const double gained = *share - from.share;
  if (gained <= 0.0) {
    return std::nullopt;
  }
  return (now - from.elapsed) * ((1.0 - *share) / gained);
}

}  // namespace ridge::measure
