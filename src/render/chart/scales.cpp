// Axes: what lies on them, and where their lines and numbers stand.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "render/chart/chart.hpp"
#include "render/chart/extent.hpp"

namespace ridge::render {
namespace {

// As in the report page (web/src/chart/model.ts).
/// A loop this far below the ceilings, or a level this far beyond every ridge, would leave no room
/// for the others.
constexpr double kMostBelow = 1e5;
constexpr double kMostBeyond = 30.0;
constexpr double kLeastRatio = 100.0;

/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
double snap_down(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  constexpr double kTolerance = 1.0 + 1e-9;
  for (const double step : {10.0, 5.0, 2.0}) {
    if (value * kTolerance >= step * decade) {
      return step * decade;
    }
  }
  return decade;
}

std::string tick_label(double value) {
  if (value >= 0.999e-4 && value < 99999.0) {
    return fmt::format("{:.6g}", value);
  }
  const double exponent = std::floor(std::log10(value) + 1e-9);
  return fmt::format("{:.0f}e{:.0f}", value / std::pow(10.0, exponent), exponent);
}

/// Eight to twenty numbers, 1, 2 or 5 times a power of ten apart.
std::vector<Tick> even_ticks(const LogScale& scale, double unit) {
  const double low = scale.low / unit;
  const double high = scale.high / unit;
  const double step = snap_down((high - low) / 8.0);
  std::vector<Tick> result;
  for (double i = std::ceil(low / step - 1e-9); i <= high / step + 1e-9; ++i) {
    const double value = i * step;
    const bool decade = std::abs(std::log10(value) - std::round(std::log10(value))) < 1e-9;
    result.push_back({value * unit, decade, tick_label(value)});
  }
  return result;
}

/// Ceilings and ridge points. Gives the outermost ridge; 0: none.
double include_lines(const Chart& chart, Extent& x, Extent& y) {
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    y.include(ceiling.flops_per_second);
  }
  double outermost_ridge = 0.0;
  const auto include_ridge = [&](double peak, const BandwidthRoof& roof) {
    const double ridge = peak / roof.bytes_per_second;
    x.include(ridge);
    outermost_ridge = std::max(outermost_ridge, ridge);
  };
  if (chart.roof) {
    y.include(chart.roof->flops_per_second);
  }
  for (const BandwidthRoof& roof : chart.roofs) {
    if (chart.roof) {
      include_ridge(chart.roof->flops_per_second, roof);
    }
    if (roof.peak) {
      include_ridge(*roof.peak, roof);
    }
  }
  for (const MeasuredCurve& curve : chart.measured) {
    if (!chart.regions.empty()) {
      break;  // beside dots only as far as those reach
    }
    for (const auto& point : curve.points) {
      x.include(point.intensity);
      y.include(point.flops_per_second);
    }
  }
  return outermost_ridge;
}

void include_dots(const Chart& chart, double outermost_ridge, Extent& x, Extent& y) {
  const auto is_hot = [](const ChartRegion& region) { return region.share >= kMarkedShare; };
  const bool any_hot = std::any_of(chart.regions.begin(), chart.regions.end(), is_hot);
  const double lowest = y.high / kMostBelow;
  const double furthest = outermost_ridge > 0.0 ? outermost_ridge * kMostBeyond : kMostDrawn;
  for (const ChartRegion& region : chart.regions) {
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      const ChartDot& dot = region.dots[i];
      if (!region.draws(i) || (any_hot && !is_hot(region))) {
        continue;
      }
      if (dot.intensity.value_or(0.0) <= furthest) {
        x.include(dot.intensity.value_or(0.0));
      }
      if (region.rate_of(dot) >= lowest) {
        y.include(region.rate_of(dot));
      }
    }
  }
}

}  // namespace

double LogScale::position(double value) const {
  const double drawn = value >= kLeastDrawn ? std::min(value, kMostDrawn) : kLeastDrawn;
  return std::log(drawn / low) / std::log(high / low);
}

double LogScale::value_at(double position) const {
  return low * std::pow(high / low, position);
}

LogScale scale_between(double low, double high) {
  constexpr double kLeastWidth = 1.05;
  // Not std::clamp: it has no answer for what is no number.
  const double start = low >= kLeastDrawn ? std::min(low, kMostDrawn) : kLeastDrawn;
  const double end = high <= kMostDrawn ? high : kMostDrawn;
  return {start, end >= start * kLeastWidth ? end : start * kLeastWidth};
}

LogScale scale_around(double low, double high) {
  const LogScale scale = scale_between(low, high);
  const double start = snap_down(scale.low);
  return {start, std::max(scale.high, start * kLeastRatio)};
}

std::vector<Tick> ticks(const LogScale& given, double unit, double labelled_decades) {
  const LogScale scale = scale_between(given.low, given.high);
  constexpr double kFineGridDecades = 8.0;
  constexpr double kMostLabelledDecades = 12.0;
  constexpr double kShort = 0.75;
  const double decades = std::log10(scale.high / scale.low);
  if (decades < kShort) {
    return even_ticks(scale, unit);
  }
  const int every = static_cast<int>(std::max(1.0, std::ceil(decades / kMostLabelledDecades)));
  const int first = static_cast<int>(std::floor(std::log10(scale.low / unit) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high / unit) - 1e-9));
  std::vector<Tick> result;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int step = 1; step <= (decades <= kFineGridDecades ? 9 : 1); ++step) {
      const double value = step * std::pow(10.0, exponent);
      const double position = scale.position(value * unit);
      if (position < -1e-9 || position > 1.0 + 1e-9) {
        continue;
      }
      const bool labelled = step == 1 ? exponent % every == 0
                                      : decades <= labelled_decades && (step == 2 || step == 5);
      result.push_back({value * unit, step == 1, labelled ? tick_label(value) : std::string()});
    }
  }
  return result;
}

std::vector<Tick> ticks_of_two(const LogScale& given, double unit) {
  constexpr int kMostLabels = 16;
  const LogScale scale = scale_between(given.low, given.high);
  const int first = static_cast<int>(std::ceil(std::log2(scale.low / unit) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(scale.high / unit) + 1e-9));
  const int every = std::max(1, (last - first) / kMostLabels + 1);
  std::vector<Tick> result;
  for (int exponent = first; exponent <= last; ++exponent) {
    const double value = std::exp2(exponent);
    const std::string label = exponent < 0 && exponent >= -12
                                  ? fmt::format("1/{:.0f}", std::exp2(-exponent))
                                  : tick_label(value);
    const bool labelled = exponent % every == 0;
    result.push_back({value * unit, labelled, labelled ? label : std::string()});
  }
  return result;
}

void fit_scales(Chart& chart) {
  Extent x;
  Extent y;
  const double outermost_ridge = include_lines(chart, x, y);
  include_dots(chart, outermost_ridge, x, y);
  if (x.empty()) {
    x = {0.1, 10.0};
  }
  if (y.empty()) {
    y = {1e9, 1e11};
  }
  chart.x = scale_around(x.low / 2.5, std::max(x.high * 2.0, outermost_ridge * 4.0));
  chart.y = scale_around(std::min(y.low / 2.0, y.high / 40.0), y.high * 1.7);
  chart.y_prefix = si_prefix(chart.y.high / 2.0);
}

void leave_out_what_is_outside(Chart& chart) {
  const auto inside = [](const LogScale& scale, double value) {
    return value >= scale.low && value <= scale.high;
  };
  std::vector<ChartRegion> kept;
  for (ChartRegion& region : chart.regions) {
    const std::size_t main = region.main_index();
    std::vector<ChartDot> dots;
    std::optional<std::size_t> binding;
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      ChartDot dot = region.dots[i];
      if (dot.intensity && *dot.intensity > chart.x.high) {
        dot.intensity.reset();  // an arrow at the edge, as where nothing crosses the boundary
      }
      if ((!dot.intensity || inside(chart.x, *dot.intensity)) &&
          inside(chart.y, region.rate_of(dot))) {
        binding = i == main ? std::optional(dots.size()) : binding;
        dots.push_back(dot);
      }
    }
    if (!binding) {
      chart.outside.push_back(region.rank);
      continue;
    }
    region.dots = std::move(dots);
    region.binding = binding;
    kept.push_back(std::move(region));
  }
  chart.regions = std::move(kept);
  std::erase_if(chart.specks, [&](const ChartSpeck& speck) {
    return !inside(chart.x, speck.intensity) || !inside(chart.y, speck.flops_per_second);
  });
}

}  // namespace ridge::render
