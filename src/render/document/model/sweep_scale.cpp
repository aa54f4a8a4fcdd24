#include "render/document/model/sweep_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/identity/level.hpp"

namespace ridge::render {
namespace {

/// The least of 1, 2 and 5 times a power of ten that makes at most so many steps up to `most`.
double round_step(double most, double steps) {
  const double least = most / steps;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

}  // namespace

double SweepScale::across(double value) const {
  return std::clamp(x.position(std::max(value, 1.0)), 0.0, 1.0);
}

double SweepScale::up(double time) const {
  return std::clamp(time / top, 0.0, 1.0);
}

std::vector<double> SweepScale::times() const {
  std::vector<double> values;
  for (int i = 0; i * step <= top * (1.0 + 1e-9); ++i) {
    values.push_back(i * step);
  }
  return values;
}

std::string SweepScale::label(double time) const {
  return fmt::format("{:.4g}", time);
}

SweepScale scale_of(const LoopSweep& sweep) {
  double most = 0.0;
  for (const SweepPoint& point : sweep.points) {
    most = std::max({most, point.time, point.roof});
  }
  const auto size = [](const SweepPoint& point) {
    return std::max(static_cast<double>(point.value), 1.0);
  };
  SweepScale scale;
  scale.x = scale_between(size(sweep.points.front()), size(sweep.points.back()));
  constexpr double kSteps = 5.0;
  if (most > 0.0 && std::isfinite(most)) {
    scale.step = round_step(most, kSteps);
    scale.top = scale.step * std::ceil(most / scale.step * 1.02);
  }
  return scale;
}

std::string time_words(const LoopSweep& sweep) {
  return fmt::format("{} for each iteration of one core, {}", sweep.unit,
                     sweep.by_ecm ? "ECM model" : "roofline");
}

std::vector<std::string> parts_of(const LoopSweep& sweep) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(sweep.points, name, &SweepPoint::part) != sweep.points.end()) {
      parts.emplace_back(name);
    }
  };
  add("in-core");
  add("arithmetic");
  for (const Level level : kLevels) {
    add(to_string(level));
  }
  return parts;
}

bool has_roof(const LoopSweep& sweep) {
  return sweep.by_ecm && std::ranges::all_of(sweep.points, [](const SweepPoint& point) {
           return point.roof > 0.0;
         });
}

}  // namespace ridge::render
