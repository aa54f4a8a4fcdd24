#include "render/document/chart/loop_dots.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/chart.hpp"

namespace ridge::render {
namespace {

bool wanted(const std::string& name, const std::vector<Level>& levels, bool memory_only) {
  const auto level = parse_level(name);
  return levels.empty() ? !memory_only || names_memory_level(name)
                        : level && std::find(levels.begin(), levels.end(), *level) != levels.end();
}

/// The order of levels in a result need not be that of the hierarchy.
bool further_out(const std::string& name, const std::string& other) {
  const auto level = parse_level(name);
  const auto known = parse_level(other);
  return level && (!known || InnermostFirst{}(*known, *level));
}

/// Loops of one name and line are told apart by a number.
std::string distinct(std::string name, const std::vector<RooflineDot>& dots) {
  while (!name.empty() && name.back() == ' ') {
    name.pop_back();  // no file is known
  }
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(dots.begin(), dots.end(),
                       [&](const RooflineDot& dot) { return dot.name == wanted; });
  };
  std::string unique = name;
  for (int number = 2; taken(unique); ++number) {
    unique = fmt::format("{} ({})", name, number);
  }
  return unique;
}

}  // namespace

std::vector<RooflineDot> loop_dots(const LabelledResult& result, const std::string& prefix,
                                   const std::vector<Level>& levels, bool memory_only) {
  const Chart chart = chart_of(*result.profile, *result.prediction, result.only);
  std::vector<RooflineDot> dots;
  for (const ChartRegion& region : chart.regions) {
    const ChartDot* outermost = nullptr;
    for (const ChartDot& dot : region.dots) {
      const std::string& name = chart.levels[dot.level];
      if (dot.intensity && wanted(name, levels, memory_only) &&
          (outermost == nullptr || further_out(name, chart.levels[outermost->level]))) {
        outermost = &dot;
      }
    }
    if (outermost == nullptr) {
      continue;
    }
    RooflineDot dot;
    dot.name = distinct(prefix + region.name, dots);
    dot.level = chart.levels[outermost->level];
    dot.intensity = *outermost->intensity;
    dot.performance = outermost->flops_per_second.value_or(region.flops_per_second);
    dot.measured = true;
    if (region.share > 0.0) {
      dot.share = std::min(region.share, 1.0);
    }
    dot.source = result.label;
    dots.push_back(std::move(dot));
  }
  return dots;
}

std::string main_precision_of(const LabelledResult& result) {
  return choose_ceilings(*result.profile).precision;
}

}  // namespace ridge::render
