// The picture of a study: its roofline, below it bars and where the entries of the matrix lie.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/value/sparse_study.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_look.hpp"

namespace ridge::render {

/// A stand-alone SVG file. On paper the roofline alone, without a title. `title`: in place of "SpMV
/// of NAME"; empty: none.
[[nodiscard]] std::string study_svg(const SparseStudy& study, const SvgLook& look = screen_look(),
                                    const std::optional<std::string>& title = std::nullopt);

/// The same for a screen as an element of a page.
[[nodiscard]] std::string study_element(const SparseStudy& study);

struct PlacedBar {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
  std::size_t style = 0;
  bool hollow = false;
};

/// What stands below the roofline; apart from markup so that tests see what touches.
struct StudyPanels {
  std::vector<PlacedText> texts;
  std::vector<PlacedLine> whiskers;
  std::vector<PlacedMark> marks;
  std::vector<PlacedBar> bars;
  double spy_x = 0.0;  ///< corner of the picture of the matrix
  double spy_y = 0.0;
  double spy_scale = 0.0;  ///< of one of its parts; 0: there is none
  double bottom = 0.0;
};
[[nodiscard]] StudyPanels layout_panels(const SparseStudy& study, const SvgLook& look, double top);

}  // namespace ridge::render
