#include "render/chart/heat.hpp"

#include <algorithm>

namespace ridge::render {
namespace {

constexpr std::array<HeatStyle, kHeatSteps> kStyles{
    {{{"heata", "#f6eab0", "#4a2a5c"}, "38;5;245", "below 1 %"},
     {{"heatb", "#f4c04e", "#85306a"}, "38;5;178", "1 to 3 %"},
     {{"heatc", "#e8802a", "#c9484f"}, "38;5;208", "3 to 10 %"},
     {{"heatd", "#bf3a1f", "#f28d3c"}, "1;38;5;202", "10 to 30 %"},
     {{"heate", "#7a1029", "#fbe58a"}, "1;38;5;198", "30 % and more"}}};

}  // namespace

std::size_t heat_step(double share) {
  return static_cast<std::size_t>(
      std::count_if(kHeatEnds.begin(), kHeatEnds.end(), [&](double end) { return share >= end; }));
}

const HeatStyle& heat_style(std::size_t step) {
  return kStyles.at(step);
}

}  // namespace ridge::render
