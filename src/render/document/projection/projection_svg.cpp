#include "render/document/projection/projection_svg.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

/// The rate of the p90 with most threads, of those that fit.
template <class Fits>
std::optional<double> best(const Machine& machine, Fits fits) {
  std::pair<unsigned, double> most{0, 0.0};
  for (const Ceiling& ceiling : machine.ceilings) {
    if (!ceiling.device && fits(ceiling)) {
      most =
          std::max(most, {ceiling.threads, p90_of(ceiling.traffic_value.value_or(ceiling.value))});
    }
  }
  return most.first > 0 ? std::optional(most.second) : std::nullopt;
}

std::optional<double> best_peak(const Machine& machine, std::string_view precision) {
  return best(machine, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::compute && ceiling.precision == precision &&
           ceiling.operation != Operation::div && ceiling.operation != Operation::sqrt &&
           unit_of(ceiling.value) == "flop/s";
  });
}

std::optional<double> best_load(const Machine& machine, Level level) {
  return best(machine, [&](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::bandwidth && ceiling.level == level &&
           ceiling.pattern == Pattern::load;
  });
}

/// A machine has two rows where it has more cores than were used here.
std::string title_of(const MachineProjection& machine) {
  return machine.cores_are == CoresThere::whole && machine.cores > 1
             ? fmt::format("{} ({} cores)", machine.machine, machine.cores)
             : machine.machine;
}

void add_machine(Chart& chart, const std::string& name, std::optional<double> bandwidth,
                 std::optional<double> peak) {
  const std::size_t index = chart.levels.size();
  chart.levels.emplace_back(level_style_at(index).name);
  if (!drawable(bandwidth)) {
    return;
  }
  chart.roofs.push_back({index, *bandwidth,
                         fmt::format("{} {}", clean(name), si(*bandwidth, "B/s")),
                         drawable(peak) ? peak : std::nullopt});
  if (drawable(peak)) {
    chart.lower_ceilings.push_back({name, fmt::format("{} {}", clean(name), si(*peak, "Flop/s")),
                                    *peak, chart.roofs.size() - 1});
  }
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

void add_region(Chart& chart, const Region& region, const Profile& profile,
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
  for (std::size_t i = 0; i < machines; ++i) {
    const MachineProjection& machine = projection.machines[i];
    const ProjectedRegion* there = find(machine, region.id);
    if (there != nullptr && drawable(there->seconds) && drawable(there->intensity)) {
      const double rate = flops / *there->seconds;
      if (render::drawable(rate)) {
        added.dots.push_back({i + 1, there->intensity, rate});
      }
      added.title += fmt::format("; {} {}", clean(title_of(machine)), si(rate, "Flop/s"));
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
  const Level memory = memory_level(profile.machine);
  add_machine(chart, kHere, best_load(profile.machine, memory),
              best_peak(profile.machine, projection.precision));
  const std::size_t machines = std::min(projection.machines.size(), kLevelStyles - 1);
  for (std::size_t i = 0; i < machines; ++i) {
    const MachineProjection& machine = projection.machines[i];
    add_machine(chart, title_of(machine), machine.bytes_per_second, machine.flops_per_second);
  }
  std::vector<const Region*> hottest;
  for (const Region& region : profile.regions) {
    if (region.kind != RegionKind::program && seconds_of(region) > 0.0 &&
        has_notable_work(region)) {
      hottest.push_back(&region);
    }
  }
  std::stable_sort(hottest.begin(), hottest.end(), [](const Region* a, const Region* b) {
    return seconds_of(*a) > seconds_of(*b);
  });
  hottest.resize(std::min(hottest.size(), kMostRegions));
  for (const Region* region : hottest) {
    add_region(chart, *region, profile, projection, memory, machines);
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
