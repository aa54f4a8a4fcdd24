// A chart half laid out: what stands where so far. Shared by the files that place its parts.
#pragma once

#include <string>

#include "render/chart/chart.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_look.hpp"

namespace ridge::render {

inline constexpr double kBold = 1.12;  ///< how much wider bold text is

struct Sheet {
  const Chart& chart;
  const SvgLook& look;
  SvgLayout out;

  [[nodiscard]] double x_of(double intensity) const;
  [[nodiscard]] double y_of(double rate) const;
  [[nodiscard]] std::size_t style_of(std::size_t level) const;

  void add_text(double x, double y, Anchor anchor, double size, std::string css, std::string text,
                double angle = 0.0);
  /// The box lies inside the plot and touches no text, mark or number.
  [[nodiscard]] bool is_free(const Box& box) const;

 private:
  [[nodiscard]] bool inside_plot(const Box& box) const;
};

/// A line as a box of the given thickness, for overlap().
[[nodiscard]] Box box_of(const PlacedLine& line, double thickness);

/// Dots, their joins, whiskers and numbers; measured roofs.
void place_regions(Sheet& sheet);
void place_measured(Sheet& sheet);

/// The label of a region beside its last dot: on no other mark or label, and where there is room on
/// no line; without room it has none. `marks` are all that will stand there.
void place_label(const Sheet& sheet, const std::string& label, const std::vector<PlacedMark>& marks,
                 const std::vector<PlacedLine>& lines, PlacedRegion& region);

/// Named spans of intensity from `top` on. Gives the lowest pixel.
double place_spectrum(Sheet& sheet, double top);

/// Bandwidth roofs, named along the line where there is room. Gives for each of Chart::roofs
/// whether its name stands there.
[[nodiscard]] std::vector<bool> place_roofs(Sheet& sheet);

/// Vertical lines, named along the line where there is room. After all else that has a name.
void place_guides(Sheet& sheet);

/// Compute ceilings: named at the right of the plot, or, on paper, inside it; there a lower ceiling
/// that finds no room for its name is left out.
void place_ceilings(Sheet& sheet);

}  // namespace ridge::render
