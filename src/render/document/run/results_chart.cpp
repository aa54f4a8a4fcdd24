#include "render/document/run/results_chart.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/level_style.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostRegions = 24;

bool same_roofs(const Chart& a, const Chart& b) {
  const auto same_rate = [](const BandwidthRoof& x, const BandwidthRoof& y) {
    return x.bytes_per_second == y.bytes_per_second && x.label == y.label;
  };
  const auto same_ceiling = [](const ComputeCeiling& x, const ComputeCeiling& y) {
    return x.flops_per_second == y.flops_per_second && x.label == y.label;
  };
  return a.subtitle == b.subtitle && a.roof.has_value() == b.roof.has_value() &&
         (!a.roof || same_ceiling(*a.roof, *b.roof)) &&
         std::equal(a.roofs.begin(), a.roofs.end(), b.roofs.begin(), b.roofs.end(), same_rate) &&
         std::equal(a.lower_ceilings.begin(), a.lower_ceilings.end(), b.lower_ceilings.begin(),
                    b.lower_ceilings.end(), same_ceiling);
}

void share_roofs(Chart& chart, const Chart& first) {
  chart.subtitle = first.subtitle;
  chart.roof = first.roof;
  chart.lower_ceilings = first.lower_ceilings;
  for (BandwidthRoof roof : first.roofs) {
    roof.level = 0;
    roof.neutral = true;
    chart.roofs.push_back(std::move(roof));
  }
}

/// The roof of the memory and the peak of one result.
void add_own_roofs(Chart& chart, const Chart& own, std::size_t index, const std::string& label) {
  if (own.roofs.empty()) {
    return;
  }
  BandwidthRoof roof = own.roofs.back();
  roof.level = index;
  roof.label = fmt::format("{} {}", label, roof.label);
  if (own.roof) {
    roof.peak = own.roof->flops_per_second;
    ComputeCeiling peak = *own.roof;
    peak.label = fmt::format("{} {}", label, peak.label);
    peak.at = chart.roofs.size();
    chart.lower_ceilings.push_back(std::move(peak));
  }
  chart.roofs.push_back(std::move(roof));
}

/// The loop of this name that was not taken yet, or a new one.
ChartRegion& region_for(Chart& chart, const ChartRegion& own, std::size_t result) {
  const auto taken = [&](const ChartRegion& region) {
    return std::any_of(region.dots.begin(), region.dots.end(),
                       [&](const ChartDot& dot) { return dot.level == result; });
  };
  for (ChartRegion& region : chart.regions) {
    if (region.short_name == own.short_name && !taken(region)) {
      return region;
    }
  }
  chart.regions.push_back({0, 0.0, own.flops_per_second, {}, {}, own.name, own.short_name, {}});
  return chart.regions.back();
}

void add_dots(Chart& chart, const Chart& own, std::size_t result, const std::string& label) {
  for (const ChartRegion& from : own.regions) {
    ChartRegion& region = region_for(chart, from, result);
    ChartDot dot = from.dots.back();
    dot.level = result;
    dot.flops_per_second = from.flops_per_second;
    dot.spread = from.spread;
    region.dots.push_back(dot);
    region.share = std::max(region.share, from.share);
    region.title += fmt::format("{}{}: {}", region.title.empty() ? "" : "\n", label, from.title);
  }
}

}  // namespace

Chart chart_of(std::span<const LabelledResult> results, CountedWork work) {
  std::vector<Chart> own;
  for (const LabelledResult& result : results.first(std::min(results.size(), kMostResults))) {
    own.push_back(unscaled_chart_of(*result.profile, *result.prediction, result.only, true, work));
  }
  Chart chart;
  chart.work = work;
  chart.title = work == CountedWork::flops ? "Roofline of" : "Integer roofline of";
  chart.dots_are = "result, at its outermost level";
  const bool shared = std::all_of(own.begin(), own.end(),
                                  [&](const Chart& each) { return same_roofs(each, own.front()); });
  if (shared && !own.empty()) {
    share_roofs(chart, own.front());
  } else {
    chart.subtitle =
        "roofs of the memory and highest compute ceilings of each result's own machine";
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string label = clean(results[i].label);
    chart.levels.emplace_back(level_style_at(i).name);
    chart.title += fmt::format("{} {}", i == 0 ? "" : ",", label);
    chart.legend.push_back({i, label});
    if (!shared) {
      add_own_roofs(chart, own[i], i, label);
    }
    add_dots(chart, own[i], i, label);
  }
  std::stable_sort(chart.regions.begin(), chart.regions.end(),
                   [](const ChartRegion& a, const ChartRegion& b) { return a.share > b.share; });
  chart.regions.resize(std::min(chart.regions.size(), kMostRegions));
  for (std::size_t i = 0; i < chart.regions.size(); ++i) {
    ChartRegion& region = chart.regions[i];
    region.rank = static_cast<unsigned>(i + 1);
    region.flops_per_second = *region.dots.back().flops_per_second;
  }
  if (work == CountedWork::intops && !own.empty()) {
    chart.above_roofs = own.front().above_roofs;
  }
  fit_scales(chart);
  leave_out_what_is_outside(chart);
  return chart;
}

}  // namespace ridge::render
