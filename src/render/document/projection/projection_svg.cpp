#include "render/document/projection/projection_svg.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "core/value/widest_ceiling.hpp"
#include "render/chart/extent.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/names.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/svg/roofline_svg.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRegions = 8;
constexpr const char* kHere = "here";

double seconds_of(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
}

bool drawable(std::optional<double> value) {
  return value && render::drawable(*value);
}

struct RateHere {
  unsigned threads = 0;
  double rate = 0.0;
};

/// The highest rate with most threads, of those that fit.
template <class Fits>
std::optional<RateHere> best(const Machine& machine, Fits fits) {
  std::pair<unsigned, double> most{0, 0.0};
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!ceiling.device && fits(ceiling)) {
      most =
          std::max(most, {ceiling.threads, p90_of(ceiling.traffic_value.value_or(ceiling.value))});
    }
  }
  return most.first > 0 ? std::optional(RateHere{most.first, most.second}) : std::nullopt;
}

/// With most threads, named as everywhere.
std::optional<RateHere> best_peak(const Machine& machine, std::string_view precision) {
  std::vector<const Ceiling*> most;
  for (const Ceiling& ceiling : machine.ceilings) {
    const bool fits = ceiling.kind == CeilingKind::compute && !ceiling.device &&
                      ceiling.precision == precision && ceiling.operation != Operation::div &&
                      ceiling.operation != Operation::sqrt && unit_of(ceiling.value) == "flop/s";
    if (!fits || (!most.empty() && ceiling.threads < most.front()->threads)) {
      continue;
    }
    if (!most.empty() && ceiling.threads > most.front()->threads) {
      most.clear();
    }
    most.push_back(&ceiling);
  }
  const Ceiling* peak = widest_within_noise(most);
  return peak != nullptr ? std::optional(RateHere{peak->threads, p90_of(peak->value)})
                         : std::nullopt;
}

std::optional<RateHere> best_load(const Machine& machine, Level level) {
  return best(machine, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::bandwidth && ceiling.level == level &&
           ceiling.pattern == Pattern::load;
  });
}

/// "2 of 96 cores": where all of the machine is a row of its own, that says how many there are.
std::string cores_of(const MachineProjection& machine, const Projection& projection) {
  unsigned all = machine.cores_are == CoresThere::whole ? machine.cores : 0;
  for (const MachineProjection& other : projection.machines) {
    if (other.machine == machine.machine && other.cores_are == CoresThere::whole) {
      all = std::max(all, other.cores);
    }
  }
  const bool device = std::any_of(machine.regions.begin(), machine.regions.end(),
                                  [](const ProjectedRegion& region) { return region.device; });
  const std::string_view unit = device ? "multiprocessor" : "core";
  const unsigned last = std::max(all, machine.cores);
  return fmt::format("{}{} {}{}", machine.cores,
                     all > machine.cores ? fmt::format(" of {}", all) : std::string(), unit,
                     last == 1 ? "" : "s");
}

/// A roof, and its peak where that is known: "zen4-9654, 2 of 96 cores, 22.0 GB/s".
void add_machine(Chart& chart, const std::string& name, const std::string& cores,
                 std::optional<double> bandwidth, std::optional<double> peak) {
  const std::size_t index = chart.levels.size();
  chart.levels.emplace_back(level_style_at(index).name);
  if (!drawable(bandwidth)) {
    return;
  }
  const std::string whose = fmt::format("{}, {}", clean(name), cores);
  chart.roofs.push_back({index, *bandwidth, fmt::format("{}, {}", whose, si(*bandwidth, "B/s")),
                         drawable(peak) ? peak : std::nullopt});
  if (drawable(peak)) {
    chart.lower_ceilings.push_back({whose, fmt::format("{} {}", clean(name), si(*peak, "Flop/s")),
                                    *peak, chart.roofs.size() - 1});
  }
}

/// What was measured here. The peak is that of as many threads as its ceiling has.
void add_here(Chart& chart, const Machine& machine, const std::string& precision) {
  const auto load = best_load(machine, memory_level(machine));
  const auto peak = best_peak(machine, precision);
  const unsigned threads = load ? load->threads : 0;
  add_machine(chart, kHere, fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"),
              load ? std::optional(load->rate) : std::nullopt,
              peak ? std::optional(peak->rate) : std::nullopt);
}

const ProjectedRegion* find(const MachineProjection& machine, std::uint32_t region) {
  const auto found =
      std::find_if(machine.regions.begin(), machine.regions.end(),
                   [&](const ProjectedRegion& candidate) { return candidate.region == region; });
  return found == machine.regions.end() ? nullptr : &*found;
}

std::optional<double> intensity_here(const Region& region, Level memory) {
  const auto value = intensity(region, memory);
  return value ? std::optional(value->value()) : std::nullopt;
}

void add_region(Chart& chart, const Region& region, const std::string& name, const Profile& profile,
                const Projection& projection, Level memory, std::size_t machines) {
  const double flops = static_cast<double>(known_work(region).total());
  const auto here = intensity_here(region, memory);
  if (flops <= 0.0 || !drawable(here)) {
    return;
  }
  ChartRegion added;
  added.rank = static_cast<unsigned>(chart.regions.size() + 1);
  added.share = profile.program.wall_seconds.value() > 0.0
                    ? std::min(1.0, seconds_of(region) / profile.program.wall_seconds.value())
                    : 0.0;
  added.flops_per_second = flops / seconds_of(region);
  added.title = fmt::format("{}  {}; here {}", added.rank, where(region, 120),
                            si(added.flops_per_second, "Flop/s"));
  const std::string place = source_location(region);
  added.short_name = name;
  added.name = fmt::format("{} {}", name, clean(place.substr(place.find_last_of('/') + 1)));
  for (std::size_t i = 0; i < machines; ++i) {
    const MachineProjection& machine = projection.machines[i];
    const ProjectedRegion* there = find(machine, region.id);
    if (there != nullptr && drawable(there->seconds) && drawable(there->intensity)) {
      const double rate = flops / *there->seconds;
      if (render::drawable(rate)) {
        added.dots.push_back({i + 1, there->intensity, rate});
      }
      added.title += fmt::format("; {} ({}) {}", clean(machine.machine),
                                 cores_of(machine, projection), si(rate, "Flop/s"));
    }
  }
  if (!render::drawable(added.flops_per_second)) {
    return;
  }
  added.dots.push_back({0, here, added.flops_per_second});  // carries the number
  chart.regions.push_back(std::move(added));
}

void set_scales(Chart& chart) {
  Extent x;
  Extent y;
  for (const ChartRegion& region : chart.regions) {
    for (const ChartDot& dot : region.dots) {
      x.include(*dot.intensity);
      y.include(*dot.flops_per_second);
    }
  }
  for (const BandwidthRoof& roof : chart.roofs) {
    if (roof.peak) {
      x.include(*roof.peak / roof.bytes_per_second);
      y.include(*roof.peak);
    }
  }
  if (x.empty()) {
    x = {0.1, 10.0};
  }
  if (y.empty()) {
    y = {1e9, 1e11};
  }
  chart.x = scale_around(x.low / 2.5, x.high * 4.0);
  chart.y = scale_around(y.low / 2.0, y.high * 1.7);
  chart.y_prefix = si_prefix(chart.y.high / 2.0);
}

}  // namespace

Chart projection_chart(const Profile& profile, const Projection& projection) {
  Chart chart;
  chart.title = fmt::format("{} on other machines", program_name(profile));
  chart.subtitle = fmt::format(
      "memory roofs and {} peaks; here: measured ({}); there: calibrated, each loop as far from "
      "its "
      "roof as here",
      projection.precision.empty() ? "no" : projection.precision, clean(profile.machine.name));
  chart.dots_are = "machine at its memory traffic";
  chart.marks_mean = "number: rank by time, at the dot of this machine; size: share of the time";
  const Level memory = memory_level(profile.machine);
  add_here(chart, profile.machine, projection.precision);
  const std::size_t machines = std::min(projection.machines.size(), kLevelStyles - 1);
  for (std::size_t i = 0; i < machines; ++i) {
    const MachineProjection& machine = projection.machines[i];
    add_machine(chart, machine.machine, cores_of(machine, projection), machine.bytes_per_second,
                machine.flops_per_second);
  }
  std::vector<const Region*> hottest;
  for (const Region& region : profile.regions) {
    if (!is_sum(region) && seconds_of(region) > 0.0 && has_notable_work(region)) {
      hottest.push_back(&region);
    }
  }
  std::stable_sort(hottest.begin(), hottest.end(), [](const Region* a, const Region* b) {
    return seconds_of(*a) > seconds_of(*b);
  });
  const auto names = distinct_names(hottest);
  hottest.resize(std::min(hottest.size(), kMostRegions));
  for (const Region* region : hottest) {
    add_region(chart, *region, clean(names.at(region->id)), profile, projection, memory, machines);
  }
  std::stable_sort(chart.lower_ceilings.begin(), chart.lower_ceilings.end(),
                   [](const ComputeCeiling& a, const ComputeCeiling& b) {
                     return a.flops_per_second > b.flops_per_second;
                   });
  set_scales(chart);
  return chart;
}

std::string projection_svg(const Profile& profile, const Projection& projection) {
  return chart_svg(projection_chart(profile, projection));
}

}  // namespace ridge::render
