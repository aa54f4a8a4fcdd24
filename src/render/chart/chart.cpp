#include "render/chart/chart.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/extent.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

/// More numbered dots than this cannot be told apart; the table goes on.
constexpr std::size_t kMostRegions = 24;
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

std::string region_title(const ShownRegion& shown, const std::vector<std::string>& levels) {
  std::string title = fmt::format("{}  {}", shown.rank, where(*shown.region, 120));
  if (shown.share) {
    title += fmt::format("; {} of the time", percent(shown.share, 1));
  }
  title += fmt::format("; {}", si(shown.flops_per_second, "Flop/s"));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (shown.levels[i].intensity) {
      title += fmt::format("; {} {} flop/byte", levels[i], number(shown.levels[i].intensity));
    }
  }
  if (shown.prediction != nullptr && shown.prediction->code) {
    const Bound& bound = *shown.prediction->code;
    title += fmt::format("; bound by {}", ceiling_words(bound.ceiling));
    if (bound.fraction) {
      title += fmt::format(", {} of it reached", percent(bound.fraction));
    }
  }
  return title;
}

/// From the 80 % interval of the time: the longest time gives the lowest rate.
std::optional<RateSpread> rate_spread(const Region& region) {
  const auto& time = region.time_seconds.self;
  const auto flops = static_cast<double>(known_work(region).total());
  if (!time || !drawable(time->low.value()) || !drawable(time->high.value()) || flops <= 0.0) {
    return std::nullopt;
  }
  return RateSpread{flops / time->high.value(), flops / time->low.value()};
}

void add_regions(Chart& chart, const Selection& selection) {
  for (const ShownRegion& shown : selection.shown) {
    if (!shown.has_work || !shown.flops_per_second || !drawable(*shown.flops_per_second)) {
      continue;
    }
    ChartRegion region{shown.rank, shown.share.value_or(0.0), *shown.flops_per_second, {}, {}};
    for (std::size_t level = 0; level < shown.levels.size(); ++level) {
      const LevelFigures& figures = shown.levels[level];
      if (figures.unbounded || (figures.intensity && drawable(*figures.intensity))) {
        region.dots.push_back({level, figures.intensity});
      }
    }
    if (region.dots.empty()) {
      chart.without_traffic.push_back(shown.rank);
      continue;
    }
    region.title = region_title(shown, chart.levels);
    const std::string place = source_location(*shown.region);
    region.short_name = clean(shown.name);
    region.name =
        fmt::format("{} {}", region.short_name, clean(place.substr(place.find_last_of('/') + 1)));
    region.spread = rate_spread(*shown.region);
    chart.regions.push_back(std::move(region));
  }
}

void add_ceilings(Chart& chart, const CeilingChoice& choice, const Machine& machine) {
  chart.threads = choice.threads;
  for (const auto& [level, ceiling] : choice.bandwidths) {
    const auto at = std::find(chart.levels.begin(), chart.levels.end(), to_string(level));
    const double rate = traffic_rate(*ceiling);
    if (at != chart.levels.end() && drawable(rate)) {
      chart.roofs.push_back({static_cast<std::size_t>(at - chart.levels.begin()), rate,
                             fmt::format("{} {}", to_string(level), si(rate, "B/s"))});
    }
  }
  for (const HigherPattern& found : choice.higher_patterns) {
    chart.above_roofs.push_back(words_of(found));
  }
  for (const Ceiling* ceiling : choice.compute) {
    const double rate = p90_of(ceiling->value);
    if (!drawable(rate)) {
      continue;
    }
    ComputeCeiling entry{clean(ceiling_words(*ceiling)), {}, rate};
    entry.label = fmt::format("{} {}", entry.words, si(rate, "Flop/s"));
    if (!chart.roof) {
      chart.roof = std::move(entry);
    } else {
      chart.lower_ceilings.push_back(std::move(entry));
    }
  }
  chart.subtitle = fmt::format(
      "{}; roofs: p90 of measured ceilings, {} thread{}, {}, load bandwidth", clean(machine.name),
      chart.threads, chart.threads == 1 ? "" : "s", choice.precision);
}

unsigned threads_of_roofs(const Machine& machine) {
  unsigned threads = 0;
  for (const MeasuredRoof& roof : machine.measured_roofs) {
    threads = std::max(threads, roof.threads);
  }
  return threads > 0 ? threads : machine.topology.threads;
}

/// The clock moves between samples: a point stands as far below the lines as it was below them at
/// its own clock.
double rate_at_the_ceilings_clock(const Machine& machine, const MeasuredRoof& roof,
                                  const RoofPoint& point) {
  const Ceiling* compute = find_ceiling(machine, roof.compute);
  const Ceiling* bandwidth = find_ceiling(machine, roof.bandwidth);
  if (compute == nullptr || bandwidth == nullptr) {
    return point.value.p90.value();
  }
  return point.fraction *
         std::min(p90_of(compute->value), point.intensity.value() * p90_of(bandwidth->value));
}

void add_measured_roofs(Chart& chart, const Machine& machine, std::string_view precision) {
  for (const MeasuredRoof& roof : machine.measured_roofs) {
    const auto at = std::find(chart.levels.begin(), chart.levels.end(), to_string(roof.level));
    if (roof.threads != chart.threads || roof.precision != precision || at == chart.levels.end()) {
      continue;
    }
    MeasuredCurve curve{static_cast<std::size_t>(at - chart.levels.begin()), {}};
    for (const RoofPoint& point : roof.points) {
      const double rate = rate_at_the_ceilings_clock(machine, roof, point);
      if (drawable(point.intensity.value()) && drawable(rate)) {
        curve.points.push_back({point.intensity.value(), rate});
      }
    }
    chart.measured.push_back(std::move(curve));
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
  for (const ChartRegion& region : chart.regions) {
    y.include(region.flops_per_second);
    for (const ChartDot& dot : region.dots) {
      x.include(dot.intensity.value_or(0.0));
      y.include(dot.flops_per_second.value_or(0.0));
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
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    y.include(ceiling.flops_per_second);
  }
  double outermost_ridge = 0.0;
  if (chart.roof) {
    y.include(chart.roof->flops_per_second);
    for (const BandwidthRoof& roof : chart.roofs) {
      const double ridge = chart.roof->flops_per_second / roof.bytes_per_second;
      x.include(ridge);
      outermost_ridge = std::max(outermost_ridge, ridge);
    }
  }
  for (const BandwidthRoof& roof : chart.roofs) {
    if (roof.peak) {
      x.include(*roof.peak / roof.bytes_per_second);
      outermost_ridge = std::max(outermost_ridge, *roof.peak / roof.bytes_per_second);
    }
  }
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

std::string Chart::y_title() const {
  return fmt::format("Performance [{}Flop/s]", y_prefix.symbol);
}

double Chart::roof_at(const BandwidthRoof& bandwidth, double intensity) const {
  const double slope = bandwidth.bytes_per_second * intensity;
  return roof ? std::min(slope, roof->flops_per_second) : slope;
}

Chart chart_of(const Profile& profile, const Prediction& prediction,
               const std::vector<std::uint32_t>& only) {
  const Selection selection = select_regions(profile, prediction, kMostRegions, only);
  Chart chart;
  chart.title = fmt::format("Roofline of {}", program_name(profile));
  for (const Level level : selection.levels) {
    chart.levels.emplace_back(to_string(level));
  }
  const CeilingChoice choice = choose_ceilings(profile);
  add_ceilings(chart, choice, profile.machine);
  add_measured_roofs(chart, profile.machine, choice.precision);
  add_regions(chart, selection);
  fit_scales(chart);
  return chart;
}

Chart chart_of(const Machine& machine) {
  Chart chart;
  chart.title = fmt::format("Roofs of {}", clean(machine.name));
  std::vector<Level> levels;
  for (const Cache& cache : machine.caches) {
    levels.push_back(cache.level);
  }
  for (const MemoryNode& memory : machine.memories) {
    levels.push_back(memory.level);
  }
  for (const Level level : levels) {
    chart.levels.emplace_back(to_string(level));
  }
  add_ceilings(chart, choose_ceilings(machine, "fp64", levels, threads_of_roofs(machine)), machine);
  add_measured_roofs(chart, machine, "fp64");
  fit_scales(chart);
  return chart;
}

}  // namespace ridge::render
