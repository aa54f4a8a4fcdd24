#include "render/chart/chart.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/extent.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

// As in the report page (web/src/chart/model.ts).
constexpr std::size_t kMostMarks = 50;
/// The hottest have marks whatever their share.
constexpr std::size_t kLeastMarks = 10;
/// Marks and specks together: more would only be a cloud.
constexpr std::size_t kMostPoints = 1000;
/// That show their dots at every level.
constexpr std::size_t kExpanded = 3;

/// What there is to know of a chart of integers.
void say_what_integers_are(Chart& chart) {
  if (!chart.roof) {
    chart.above_roofs.emplace_back(
        "no ceiling of integers was measured with so many threads: run ridge bench again");
    return;
  }
  chart.above_roofs.emplace_back(
      "ceilings are of integers of 32 and 64 bits; work on narrower ones, or instructions that do "
      "several operations at once (rotate, logic of three operands), may stand above them");
}

/// An engine counts machine code, where nothing tells an address from data.
bool counts_addresses(const Profile& profile) {
  return std::any_of(profile.notes.begin(), profile.notes.end(),
                     [](const Note& note) { return note.code == "engine"; });
}

std::string region_title(const ShownRegion& shown, const Chart& chart) {
  const std::vector<std::string>& levels = chart.levels;
  std::string title =
      fmt::format("{}  {}", shown.rank, where(*shown.region, shown.name, 120, true));
  if (shown.share) {
    title += fmt::format("; {} of the time", percent(shown.share, 1));
  }
  const WorkUnits units = units_of(chart.work);
  title += fmt::format("; {}", si(shown.flops_per_second, units.per_second));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (shown.levels[i].intensity) {
      title +=
          fmt::format("; {} {} {}", levels[i], number(shown.levels[i].intensity), units.per_byte);
    }
  }
  if (chart.work == CountedWork::flops && shown.prediction != nullptr && shown.prediction->code) {
    const Bound& bound = *shown.prediction->code;
    title += fmt::format("; bound by {}", ceiling_words(bound.ceiling));
    if (bound.fraction) {
      title += fmt::format(", {} of it reached", percent(bound.fraction));
    }
  }
  return title;
}

/// From the 80 % interval of the time: the longest time gives the lowest rate.
std::optional<RateSpread> rate_spread(const Region& region, CountedWork work) {
  const auto& time = region.time_seconds.self;
  const auto amount = static_cast<double>(amount_of(region, work));
  if (!time || !drawable(time->low.value()) || !drawable(time->high.value()) || amount <= 0.0) {
    return std::nullopt;
  }
  return RateSpread{amount / time->high.value(), amount / time->low.value()};
}

/// That of the level that binds; where it has no place, the outermost one with an intensity.
std::optional<std::size_t> main_dot(const std::vector<ChartDot>& dots,
                                    std::optional<std::size_t> level) {
  std::optional<std::size_t> outermost;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (dots[i].level == level) {
      return i;
    }
    outermost = dots[i].intensity ? i : outermost;
  }
  return outermost;
}

/// Without words; no dots where no traffic is known.
ChartRegion bare_region(const ShownRegion& shown) {
  ChartRegion region{shown.rank, shown.share.value_or(0.0), *shown.flops_per_second, {}, {}};
  for (std::size_t level = 0; level < shown.levels.size(); ++level) {
    const LevelFigures& figures = shown.levels[level];
    if (figures.unbounded || (figures.intensity && drawable(*figures.intensity))) {
      region.dots.push_back({level, figures.intensity});
    }
  }
  region.binding = main_dot(region.dots, shown.binding);
  return region;
}

void describe(ChartRegion& region, const ShownRegion& shown, const Chart& chart) {
  region.title = region_title(shown, chart);
  const std::string place = source_location(*shown.region);
  region.short_name = clean(shown.name);
  region.name =
      fmt::format("{} {}", region.short_name, clean(place.substr(place.find_last_of('/') + 1)));
  region.spread = rate_spread(*shown.region, chart.work);
}

/// `all`: each has a mark of its own.
void add_regions(Chart& chart, const Selection& selection, bool all) {
  for (const ShownRegion& shown : selection.shown) {
    if (!shown.has_work || !shown.flops_per_second || !drawable(*shown.flops_per_second)) {
      continue;
    }
    ChartRegion region = bare_region(shown);
    const std::size_t marks = chart.regions.size();
    const bool hot = region.share >= kMarkedShare && marks < kMostMarks;
    const bool marked = all || hot || marks < kLeastMarks;
    if (region.dots.empty()) {
      if (marked) {
        chart.without_traffic.push_back(shown.rank);
      }
    } else if (marked) {
      describe(region, shown, chart);
      region.expanded = marks < kExpanded;
      chart.regions.push_back(std::move(region));
    } else if (region.main_dot().intensity) {
      chart.specks.push_back({*region.main_dot().intensity, region.flops_per_second});
    }
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
    entry.label = fmt::format("{} {}", entry.words, si(rate, units_of(chart.work).per_second));
    if (!chart.roof) {
      chart.roof = std::move(entry);
    } else {
      chart.lower_ceilings.push_back(std::move(entry));
    }
  }
  chart.subtitle = fmt::format(
      "{}; roofs: p90 of measured ceilings, {} thread{}, {}, load bandwidth", clean(machine.name),
      chart.threads, chart.threads == 1 ? "" : "s", choice.precision);
  if (chart.work == CountedWork::intops) {
    say_what_integers_are(chart);
  }
}

unsigned threads_of_roofs(const Machine& machine) {
  unsigned threads = 0;
  for (const MeasuredRoof& roof : machine.measured_roofs) {
    threads = std::max(threads, roof.threads);
  }
  if (threads == 0 && machine.topology) {
    return machine.topology->threads;
  }
  for (const Ceiling& ceiling : machine.ceilings) {
    threads = std::max(threads, ceiling.threads);
  }
  return std::max(threads, 1U);
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

std::string Chart::short_x_title() const {
  return fmt::format("Intensity [{}]", units_of(work).per_byte);
}

std::string Chart::x_title() const {
  const std::string words = fmt::format("Intensity{} [{}]", intensity_of, units_of(work).per_byte);
  return regions.empty() ? words
         : heat          ? words + "; all levels of the hottest 3"
                         : words + ", one dot per " + dots_are;
}

std::string Chart::y_title() const {
  return fmt::format("Performance [{}{}]", y_prefix.symbol, units_of(work).per_second);
}

double Chart::roof_at(const BandwidthRoof& bandwidth, double intensity) const {
  const double slope = bandwidth.bytes_per_second * intensity;
  return roof ? std::min(slope, roof->flops_per_second) : slope;
}

Chart unscaled_chart_of(const Profile& profile, const Prediction& prediction,
                        const std::vector<std::uint32_t>& only, bool all, CountedWork work) {
  const bool floating = work == CountedWork::flops;
  const Selection selection = select_regions(profile, prediction, kMostPoints, only, 1.0, work);
  Chart chart;
  chart.work = work;
  chart.title =
      fmt::format("{} of {}", floating ? "Roofline" : "Integer roofline", program_name(profile));
  chart.verdict = floating ? clean(prediction.verdict) : "";
  chart.heat = true;
  chart.zones = floating;
  for (const Level level : selection.levels) {
    chart.levels.emplace_back(to_string(level));
  }
  const CeilingChoice choice = choose_ceilings(profile, work);
  add_ceilings(chart, choice, profile.machine);
  if (!floating && counts_addresses(profile)) {
    chart.above_roofs.emplace_back(
        "integer operations of a program as it is include those that make addresses");
  }
  add_measured_roofs(chart, profile.machine, choice.precision);
  add_regions(chart, selection, all || !only.empty());
  chart.marks_mean =
      "number: rank by time, at the level that binds; size and colour: share of the "
      "time; whisker: 80 % interval";
  return chart;
}

Chart chart_of(const Profile& profile, const Prediction& prediction,
               const std::vector<std::uint32_t>& only, CountedWork work) {
  Chart chart = unscaled_chart_of(profile, prediction, only, false, work);
  fit_scales(chart);
  leave_out_what_is_outside(chart);
  if (!chart.specks.empty()) {
    chart.marks_mean += "; points: less time";
  }
  const auto at_the_edge = [](const ChartRegion& region) {
    return std::any_of(region.dots.begin(), region.dots.end(),
                       [](const ChartDot& dot) { return !dot.intensity; });
  };
  if (std::any_of(chart.regions.begin(), chart.regions.end(), at_the_edge)) {
    chart.marks_mean += "; arrow: little or no traffic at that level";
  }
  return chart;
}

Chart for_slide(Chart chart, std::size_t most) {
  chart.regions.resize(std::min(chart.regions.size(), most));
  for (ChartRegion& region : chart.regions) {
    region.expanded = false;
  }
  chart.specks.clear();
  chart.outside.clear();
  chart.measured.clear();
  chart.title = chart.verdict.empty() ? chart.title : chart.verdict;
  return chart;
}

Chart chart_of(const Machine& machine, CountedWork work) {
  const bool floating = work == CountedWork::flops;
  Chart chart;
  chart.work = work;
  chart.title = fmt::format("{} of {}", floating ? "Roofs" : "Integer roofs", clean(machine.name));
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
  const std::string precision(floating ? "fp64" : kIntegers);
  add_ceilings(chart, choose_ceilings(machine, precision, levels, threads_of_roofs(machine)),
               machine);
  add_measured_roofs(chart, machine, precision);
  fit_scales(chart);
  return chart;
}

}  // namespace ridge::render
