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

/// Dots, their joins and whiskers, specks, and then numbers and names; measured roofs.
void place_regions(Sheet& sheet);
void place_measured(Sheet& sheet);

/// Numbers and names beside the main dots that are placed, hottest first: on no dot and on no other
/// text, and where there is room on no line. What finds no place is left out and listed.
void place_labels(Sheet& sheet);

/// The tint of the memory-bound and of the compute-bound part; and their names, after all else that
/// has one, where there is room.
void place_zones(Sheet& sheet);
void name_zones(Sheet& sheet);

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
