#include "render/document/compare/change_arrows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "render/document/compare/cells.hpp"

namespace ridge::render {
namespace {

using svg::Pixel;

constexpr double kDot = 5.0;

Pixel pixel_of(const PathPoint& point, const Chart& chart, const SvgLayout& layout) {
  return {layout.left + chart.x.position(point.intensity) * (layout.right - layout.left),
          layout.bottom - chart.y.position(point.flops_per_second) * (layout.bottom - layout.top)};
}

Box seat_at(Pixel pixel) {
  return {pixel.x, pixel.y, kSeat, kSeat, 0.0};
}

bool is_free(Pixel place, std::span<const Box> taken) {
  return std::none_of(taken.begin(), taken.end(),
                      [&](const Box& other) { return overlap(seat_at(place), other); });
}

/// At the dot, else the nearest place around it that holds no number and no other loop's dot; the
/// dot all the same where it is too crowded.
Pixel free_seat(Pixel dot, std::span<const Box> numbers, std::span<const Box> dots,
                const SvgLayout& layout) {
  if (is_free(dot, numbers)) {
    return dot;
  }
  constexpr std::array<Pixel, 8> kAround{
      {{1, 0}, {0.7, -0.7}, {0, -1}, {-0.7, -0.7}, {-1, 0}, {-0.7, 0.7}, {0, 1}, {0.7, 0.7}}};
  for (const double distance : {22.0, 36.0, 50.0, 64.0}) {
    for (const Pixel& way : kAround) {
      const Pixel place{dot.x + way.x * distance, dot.y + way.y * distance};
      const bool inside = place.x > layout.left && place.x < layout.right && place.y > layout.top &&
                          place.y < layout.bottom;
      if (inside && is_free(place, numbers) && is_free(place, dots)) {
        return place;
      }
    }
  }
  return dot;
}

std::string old_dot(Pixel centre, std::string_view css) {
  return svg::circle(centre, fmt::format("{}", kDot), fmt::format("old {}", css)) + "\n";
}

std::string arrow_element(const PlacedArrow& arrow) {
  const Pixel from = arrow.from;
  const Pixel to = arrow.to;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  constexpr double kHead = 9.0;
  constexpr double kHalf = 4.5;
  if (length < kDot + arrow.end_gap + kHead) {
    return old_dot(from, arrow.css);  // the dots touch: no room, and nothing to show
  }
  const double ux = (to.x - from.x) / length;
  const double uy = (to.y - from.y) / length;
  const Pixel start{from.x + ux * kDot, from.y + uy * kDot};
  const Pixel tip{to.x - ux * arrow.end_gap, to.y - uy * arrow.end_gap};
  const Pixel base{tip.x - ux * kHead, tip.y - uy * kHead};
  return svg::line(start, base, fmt::format("line {}", arrow.css)) +
         svg::polygon({tip,
                       {base.x - uy * kHalf, base.y + ux * kHalf},
                       {base.x + uy * kHalf, base.y - ux * kHalf}},
                      fmt::format("tip {}", arrow.css)) +
         "\n" + old_dot(from, arrow.css);
}

std::string rank_element(const PlacedRank& rank) {
  const LoopPath& path = *rank.path;
  std::string out;
  if (rank.seat.x != rank.dot.x || rank.seat.y != rank.dot.y) {
    out += svg::circle(rank.dot, fmt::format("{}", kDot), fmt::format("tip {}", path.css)) +
           svg::line(rank.dot, rank.seat, path.css) + "\n";
  }
  const std::string seat =
      svg::title(loop_text(*path.loop, path.loop->places.back(), 120)) +
      svg::circle(rank.seat, fmt::format("{}", kSeat), fmt::format("seat {}", path.css)) +
      svg::text({rank.seat.x, rank.seat.y + 4.0}, {11.0, "middle", "rank", {}},
                std::to_string(path.rank));
  return out + svg::element("g", {}, seat) + "\n";
}

}  // namespace

ChangeLayout layout_changes(const std::vector<LoopPath>& paths, const Chart& chart,
                            const SvgLayout& layout) {
  const auto at = [&](const PathPoint& point) { return pixel_of(point, chart, layout); };
  std::vector<Box> dots;
  for (const LoopPath& path : paths) {
    if (!path.points.empty()) {
      dots.push_back(seat_at(at(path.points.back())));
    }
  }
  ChangeLayout out;
  std::vector<Box> numbers;
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    const auto& points = path->points;
    if (points.empty()) {
      continue;
    }
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const bool last = i + 2 == points.size();
      out.arrows.push_back(
          {at(points[i]), at(points[i + 1]), (last ? kSeat : kDot) + 1.0, path->css});
    }
    const Pixel dot = at(points.back());
    const Pixel seat = free_seat(dot, numbers, dots, layout);
    numbers.push_back(seat_at(seat));
    out.ranks.push_back({dot, seat, &*path});
  }
  return out;
}

std::string arrows_element(const ChangeLayout& changes) {
  std::string out;
  for (const PlacedArrow& arrow : changes.arrows) {
    out += arrow_element(arrow);
  }
  for (const PlacedRank& rank : changes.ranks) {
    out += rank_element(rank);
  }
  return out;
}

}  // namespace ridge::render
