#include "render/chart/chart_geometry.hpp"

#include <algorithm>
#include <iterator>

#include "render/chart/extent.hpp"

namespace ridge::render {

std::optional<Segment> segment_of(const Chart& chart, const BandwidthRoof& roof) {
  const double peak = roof.peak    ? *roof.peak
                      : chart.roof ? chart.roof->flops_per_second
                                   : chart.y.high;
  const double rate = roof.bytes_per_second;
  const double high = std::min({peak, chart.y.high, chart.x.high * rate});
  const double low = std::max(chart.y.low, chart.x.low * rate);
  return low < high ? std::optional(Segment{low / rate, low, high / rate, high}) : std::nullopt;
}

Segment segment_of(const Chart& chart, const ComputeCeiling& ceiling) {
  double bandwidth = 0.0;
  for (const BandwidthRoof& roof : chart.roofs) {
    bandwidth = std::max(bandwidth, roof.bytes_per_second);
  }
  if (ceiling.at) {
    bandwidth = chart.roofs[*ceiling.at].bytes_per_second;
  }
  const double rate = ceiling.flops_per_second;
  const double start = bandwidth > 0.0 ? std::max(rate / bandwidth, chart.x.low) : chart.x.low;
  return {start, rate, chart.x.high, rate};
}

std::vector<MeasuredCurve::Point> points_inside(const Chart& chart, const MeasuredCurve& curve) {
  std::vector<MeasuredCurve::Point> points;
  std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(points),
               [&](const MeasuredCurve::Point& point) {
                 return point.intensity >= chart.x.low && point.intensity <= chart.x.high &&
                        point.flops_per_second >= chart.y.low &&
                        point.flops_per_second <= chart.y.high;
               });
  return points;
}

double edge_intensity(const Chart& chart) {
  constexpr double kInside = 0.985;
  return chart.x.value_at(kInside);
}

std::vector<Zone> zones_of(const Chart& chart) {
  Extent ridges;
  for (const BandwidthRoof& roof : chart.roofs) {
    ridges.include(chart.roof ? chart.roof->flops_per_second / roof.bytes_per_second : 0.0);
  }
  if (!chart.zones || ridges.empty()) {
    return {};
  }
  std::vector<Zone> zones{{true, chart.x.low, std::min(ridges.low, chart.x.high)},
                          {false, std::max(ridges.high, chart.x.low), chart.x.high}};
  std::erase_if(zones, [](const Zone& zone) { return zone.low >= zone.high; });
  return zones;
}

}  // namespace ridge::render
