// How large everything is: on a screen, or in a column of a two-column paper.
#pragma once

#include <string_view>

namespace ridge::render {

/// Sizes in SVG user units: pixels on a screen, points (1/72 inch) on paper.
struct SvgLook {
  bool paper = false;        ///< white, ceilings named inside the plot, no line of explanation
  std::string_view unit;     ///< of `print_width`; empty: user units are pixels
  double print_width = 0.0;  ///< in `unit`
  double width = 1120.0;
  double plot_height = 540.0;
  double left = 84.0;  ///< room for the numbers of the vertical axis
  double top_with_title = 76.0;
  double top = 22.0;
  double text = 13.0;
  double small = 11.5;
  double title = 19.0;
  double label_gap = 17.0;  ///< between the baselines of labels at the right
  double mark = 1.0;        ///< factor of radii
  double gap = 1.0;         ///< factor of distances between texts and lines
  double labelled_decades = 4.0;
};

[[nodiscard]] constexpr SvgLook screen_look() {
  return {};
}

/// 8.5 cm wide, no text below 6 points.
[[nodiscard]] constexpr SvgLook paper_look() {
  return {.paper = true,
          .unit = "cm",
          .print_width = 8.5,
          .width = 240.9,
          .plot_height = 158.0,
          .left = 33.0,
          .top_with_title = 18.0,
          .top = 5.0,
          .text = 7.0,
          .small = 6.0,
          .title = 8.0,
          .label_gap = 8.0,
          .mark = 0.46,
          .gap = 0.5,
          .labelled_decades = 3.0};
}

}  // namespace ridge::render
