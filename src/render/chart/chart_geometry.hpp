// Ends of the lines of a chart in base units, clipped to its scales: for formats that draw their
// own axes.
#pragma once

#include <optional>
#include <vector>

#include "render/chart/chart.hpp"

namespace ridge::render {

struct Segment {
  double x1 = 0.0;  ///< flop/byte
  double y1 = 0.0;  ///< flop/s
  double x2 = 0.0;
  double y2 = 0.0;
};

/// A bandwidth roof from the left or lower edge to its compute roof; nullopt when all of it is
/// outside.
[[nodiscard]] std::optional<Segment> segment_of(const Chart& chart, const BandwidthRoof& roof);

/// A compute ceiling from the steepest bandwidth roof (or its own) to the right edge.
[[nodiscard]] Segment segment_of(const Chart& chart, const ComputeCeiling& ceiling);

/// The points of a measured roof that lie inside.
[[nodiscard]] std::vector<MeasuredCurve::Point> points_inside(const Chart& chart,
                                                              const MeasuredCurve& curve);

/// Where an unbounded dot stands: just inside the right edge.
[[nodiscard]] double edge_intensity(const Chart& chart);

/// A part of the axis of intensity, flop/byte.
struct Zone {
  bool memory_bound = true;  ///< otherwise compute-bound
  double low = 0.0;
  double high = 0.0;
};

/// Left of every ridge point and right of all of them, as far as it is drawn; between them it
/// depends on the level. Empty where the chart tints none, or without a ridge point.
[[nodiscard]] std::vector<Zone> zones_of(const Chart& chart);

}  // namespace ridge::render
