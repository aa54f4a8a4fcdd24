#include "render/document/compare/loop_paths.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/extent.hpp"
#include "render/document/compare/cells.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostLoops = 10;

/// From the first to the last place: by time, within its spread.
std::string_view direction_of(const Comparison& comparison, const ComparedLoop& loop) {
  const LoopStep* step = find_step(loop, comparison.steps.size() - 1);
  const Change* time = step != nullptr ? find_change(*step, "time") : nullptr;
  if (time == nullptr || time->verdict != Verdict::changed || !time->ratio) {
    return "steady";
  }
  return *time->ratio < 1.0 ? "faster" : "slower";
}

}  // namespace

std::vector<LoopPath> loop_paths(const Comparison& comparison, Level level) {
  const std::string quantity = fmt::format("intensity.{}", to_string(level));
  std::vector<LoopPath> paths;
  for (const ComparedLoop* loop : notable_loops(comparison, kMostLoops)) {
    LoopPath path;
    path.rank = static_cast<unsigned>(paths.size() + 1);
    path.loop = loop;
    path.css = direction_of(comparison, *loop);
    for (const Place& place : loop->places) {
      const RegionFigure* rate = find_figure(place, "performance");
      const RegionFigure* intensity = find_figure(place, quantity);
      const RegionFigure* bytes = find_figure(place, "bytes");
      const bool worth = rate != nullptr && intensity != nullptr && bytes != nullptr &&
                         rate->value * 1000.0 >=
                             bytes->value / std::max(1e-300, find_figure(place, "time")->value);
      if (worth && drawable(intensity->value) && drawable(rate->value)) {
        path.points.push_back({place.result, intensity->value, rate->value});
      }
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace ridge::render
