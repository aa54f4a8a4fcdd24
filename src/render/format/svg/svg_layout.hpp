// Where everything of the roofline stands on the page, in SVG user units (pixels at 100 %). Kept
// apart from the writing of markup so that tests can check that no text touches another.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/chart/level_style.hpp"
#include "render/format/svg/svg_look.hpp"

namespace ridge::render {

enum class Anchor { start, middle, end };

struct PlacedText {
  double x = 0.0;  ///< of the anchor, on the baseline
  double y = 0.0;
  Anchor anchor = Anchor::start;
  double angle = 0.0;  ///< degrees, clockwise, about (x, y)
  double size = 13.0;
  std::string css;
  std::string text;  ///< clean, not yet escaped
};

/// A rectangle turned by `angle` degrees about its centre.
struct Box {
  double x = 0.0;  ///< centre
  double y = 0.0;
  double half_width = 0.0;
  double half_height = 0.0;
  double angle = 0.0;
};

/// Width that a generic sans-serif needs at most for ordinary text; fonts are not known here.
[[nodiscard]] double text_width(std::string_view text, double size);
/// The same for a placed text: titles and labels set in bold are wider.
[[nodiscard]] double text_width(const PlacedText& text);
[[nodiscard]] Box box_of(const PlacedText& text);
/// Separating axes; touching edges do not overlap.
[[nodiscard]] bool overlap(const Box& a, const Box& b);

struct PlacedLine {
  double x1 = 0.0;
  double y1 = 0.0;
  double x2 = 0.0;
  double y2 = 0.0;
  std::string css;
};

struct PlacedMark {
  double x = 0.0;
  double y = 0.0;
  double radius = 0.0;
  std::size_t style = 0;  ///< index of the level's style
  bool arrow = false;     ///< stands at the right edge for an unbounded intensity
  double edge = 10.0;     ///< of an arrow: room to the right edge
  bool hollow = false;    ///< filled with the background
  std::optional<std::size_t> heat = std::nullopt;  ///< step of the share of the time: the colour
};

/// How far the shape of a mark reaches from its centre, at most.
[[nodiscard]] double reach_of(const PlacedMark& mark);
/// The square around that.
[[nodiscard]] Box box_of(const PlacedMark& mark);

struct PlacedRegion {
  std::string title;
  std::vector<PlacedLine>
      lines;  ///< through the dots, and from the main one to a label moved aside
  std::vector<PlacedMark> marks;
  std::size_t main = 0;  ///< index of the mark that the number belongs to
  /// Shown where a reader points at the region: the dots of the other levels. Over labels, too.
  std::vector<PlacedLine> hover_lines;
  std::vector<PlacedMark> hover_marks;
  PlacedText number;  ///< or the name, or both; empty without room
};

/// A measured roof.
struct PlacedPolyline {
  std::size_t style = 0;
  std::vector<std::pair<double, double>> points;
};

/// The band of a roof's interval.
struct PlacedBand {
  std::size_t style = 0;
  std::vector<std::pair<double, double>> points;
};

/// A span of intensities below the axis.
struct PlacedSpan {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

struct PlacedLegend {
  std::optional<PlacedLine> line;  ///< of a roof
  std::optional<PlacedMark> mark;  ///< of dots that are drawn
  PlacedText text;
};

/// The memory-bound or the compute-bound part of the plot.
struct PlacedZone {
  double left = 0.0;
  double right = 0.0;
  bool memory_bound = true;
};

struct SvgLayout {
  double width = 0.0;
  double height = 0.0;
  double left = 0.0;  ///< the plot's rectangle
  double top = 0.0;
  double right = 0.0;
  double bottom = 0.0;
  std::vector<PlacedLine> grid;
  std::vector<PlacedLine> ceilings;
  std::vector<PlacedLine> roofs;     ///< bandwidth, one per level
  std::vector<PlacedBand> bands;     ///< below them
  std::vector<PlacedMark> measured;  ///< points of measured roofs; draw them in this order
  std::vector<PlacedPolyline> measured_lines;
  std::vector<PlacedText> texts;
  std::vector<PlacedSpan> spectrum;
  std::vector<PlacedLegend> legend;
  std::vector<PlacedZone> zones;          ///< behind everything
  std::vector<PlacedMark> specks;         ///< circles, whatever their level
  std::vector<PlacedRegion> regions;      ///< by rank
  std::vector<std::string> without_room;  ///< numbers or names that found no place
};

[[nodiscard]] SvgLayout layout_svg(const Chart& chart, const SvgLook& look = screen_look());

}  // namespace ridge::render
