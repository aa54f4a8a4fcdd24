// How large everything is: on a screen, in a column of a two-column paper, or behind a lecturer.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::render {

/// Sizes in SVG user units: pixels on a screen, points (1/72 inch) on paper.
struct SvgLook {
  bool paper = false;        ///< white, ceilings named inside the plot, no line of explanation
  bool slide = false;        ///< few loops with their names, no line of explanation
  std::string_view unit;     ///< of `print_width`; empty: user units are pixels
  double print_width = 0.0;  ///< in `unit`
  double width = 1120.0;
  double height = 0.0;  ///< of the picture; 0: as it needs
  double plot_height = 540.0;
  double left = 84.0;  ///< room for the numbers of the vertical axis
  double top_with_title = 76.0;
  double top = 22.0;
  double text = 13.0;
  double small = 11.5;
  double title = 19.0;
  double title_at = 30.0;      ///< baseline of its first line
  double label_gap = 17.0;     ///< between the baselines of labels at the right
  double y_title_at = 22.0;    ///< baseline of the title of the vertical axis, from the left
  double tick_gap = 20.0;      ///< from the plot to the baseline of the numbers below it
  double tick_gap_left = 8.0;  ///< from the plot to the numbers beside it
  double axis_gap = 44.0;      ///< from the plot to the baseline of the axis' title
  double legend_gap = 32.0;    ///< from there to that of the first row of the legend
  double row_gap = 22.0;       ///< between rows of the legend
  double below = 20.0;         ///< from the last row to the end
  double mark = 1.0;           ///< factor of radii
  double gap = 1.0;            ///< factor of distances between texts and lines
  double labelled_decades = 4.0;

  /// Ceilings are named inside of the plot; one without room for its name is left out.
  [[nodiscard]] constexpr bool names_inside() const { return paper || slide; }
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
          .title_at = 11.0,
          .label_gap = 8.0,
          .y_title_at = 8.0,
          .tick_gap = 9.0,
          .tick_gap_left = 3.0,
          .axis_gap = 19.0,
          .legend_gap = 11.0,
          .row_gap = 9.5,
          .below = 4.0,
          .mark = 0.46,
          .gap = 0.5,
          .labelled_decades = 3.0};
}

/// 16:9, no text below 22 pixels.
inline constexpr double kLeastSlideText = 22.0;
inline constexpr std::size_t kSlideRegions = 5;
[[nodiscard]] constexpr SvgLook slide_look() {
  return {.slide = true,
          .width = 1600.0,
          .height = 900.0,
          .left = 130.0,
          .top_with_title = 40.0,
          .top = 40.0,
          .text = 24.0,
          .small = kLeastSlideText,
          .title = 34.0,
          .title_at = 52.0,
          .label_gap = 30.0,
          .y_title_at = 38.0,
          .tick_gap = 32.0,
          .tick_gap_left = 12.0,
          .axis_gap = 68.0,
          .legend_gap = 44.0,
          .row_gap = 38.0,
          .below = 22.0,
          .mark = 1.7,
          .gap = 1.6};
}

}  // namespace ridge::render
