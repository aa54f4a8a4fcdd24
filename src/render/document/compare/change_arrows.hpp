// Paths of loops as arrows over a roofline, each with its number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/document/compare/loop_paths.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {

inline constexpr double kSeat = 9.0;  ///< radius of the dot that holds a number

struct PlacedArrow {
  svg::Pixel from;  ///< of the older dot
  svg::Pixel to;    ///< of the newer one
  double end_gap = 0.0;
  std::string_view css;
};

/// Of the newest place of a loop.
struct PlacedRank {
  svg::Pixel dot;
  svg::Pixel seat;  ///< where its number stands: the dot, or aside where another stands there
  const LoopPath* path = nullptr;
};

/// Where all of it stands, apart from markup. The last of each list is drawn on top: the loop of
/// the first rank. They point into the paths.
struct ChangeLayout {
  std::vector<PlacedArrow> arrows;
  std::vector<PlacedRank> ranks;
};
[[nodiscard]] ChangeLayout layout_changes(const std::vector<LoopPath>& paths, const Chart& chart,
                                          const SvgLayout& layout);

/// In the classes of the comparison's sheet.
[[nodiscard]] std::string arrows_element(const ChangeLayout& changes);

}  // namespace ridge::render
