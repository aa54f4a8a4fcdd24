// Labels of random profiles: never over a dot, never over one another. The geometry here is that of
// outlines as they are written, not that of the boxes that the layout works with.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/format/svg/layout_for_tests.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_elements.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/random_profile_for_tests.hpp"

namespace ridge::render {
namespace {

struct Point {
  double x = 0.0;
  double y = 0.0;
};
using Outline = std::vector<Point>;

/// Of the letters: 0.72 of the size above the baseline, 0.2 below.
Outline outline_of(const PlacedText& text) {
  const double width = text_width(text);
  const double left = text.anchor == Anchor::start ? 0.0
                      : text.anchor == Anchor::end ? -width
                                                   : -width / 2.0;
  const double angle = text.angle * std::numbers::pi / 180.0;
  Outline corners;
  for (const auto& [x, y] : {std::pair(left, 0.2), std::pair(left + width, 0.2),
                             std::pair(left + width, -0.72), std::pair(left, -0.72)}) {
    const double down = y * text.size;
    corners.push_back({text.x + x * std::cos(angle) - down * std::sin(angle),
                       text.y + x * std::sin(angle) + down * std::cos(angle)});
  }
  return corners;
}

Outline circle(double x, double y, double radius) {
  Outline corners;
  for (int i = 0; i < 16; ++i) {
    const double angle = i * std::numbers::pi / 8.0;
    corners.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return corners;
}

/// Read back from the element that is written for it.
Outline outline_of(const PlacedMark& mark) {
  const std::string element = mark_element(mark);
  const auto at = element.find("points=\"");
  if (at == std::string::npos) {
    return circle(mark.x, mark.y, mark.radius);
  }
  Outline corners;
  const char* next = element.c_str() + at + 8;
  while (*next != '"') {
    char* end = nullptr;
    Point corner;
    corner.x = std::strtod(next, &end);
    corner.y = std::strtod(end + 1, &end);
    corners.push_back(corner);
    next = *end == ' ' ? end + 1 : end;
  }
  return corners;
}

/// Separating axes of two convex outlines.
bool apart(const Outline& a, const Outline& b) {
  for (const Outline* shape : {&a, &b}) {
    for (std::size_t i = 0; i < shape->size(); ++i) {
      const Point& from = (*shape)[i];
      const Point& to = (*shape)[(i + 1) % shape->size()];
      double least_a = INFINITY, most_a = -INFINITY, least_b = INFINITY, most_b = -INFINITY;
      for (const Point& p : a) {
        const double along = (p.x - from.x) * (to.y - from.y) - (p.y - from.y) * (to.x - from.x);
        least_a = std::min(least_a, along);
        most_a = std::max(most_a, along);
      }
      for (const Point& p : b) {
        const double along = (p.x - from.x) * (to.y - from.y) - (p.y - from.y) * (to.x - from.x);
        least_b = std::min(least_b, along);
        most_b = std::max(most_b, along);
      }
      if (most_a <= least_b || most_b <= least_a) {
        return true;
      }
    }
  }
  return false;
}

std::vector<Outline> dots_of(const SvgLayout& layout) {
  std::vector<Outline> dots;
  for (const PlacedRegion& region : layout.regions) {
    for (const PlacedMark& mark : region.marks) {
      dots.push_back(outline_of(mark));
    }
  }
  for (const PlacedMark& speck : layout.specks) {
    dots.push_back(circle(speck.x, speck.y, speck.radius));
  }
  return dots;
}

void expect_labels_apart(const SvgLayout& layout) {
  const auto texts = texts_of(layout);
  const auto dots = dots_of(layout);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Outline outline = outline_of(texts[i]);
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      EXPECT_TRUE(apart(outline, outline_of(texts[j]))) << texts[i].text << " / " << texts[j].text;
    }
    for (const Outline& dot : dots) {
      EXPECT_TRUE(apart(outline, dot)) << texts[i].text << " / " << dot[0].x << "," << dot[0].y;
    }
  }
}

/// Each region has its number, or is listed as one without room.
void expect_each_number(const Chart& chart, const SvgLayout& layout) {
  ASSERT_EQ(layout.regions.size(), chart.regions.size());
  for (std::size_t i = 0; i < chart.regions.size(); ++i) {
    const std::string number = std::to_string(chart.regions[i].rank);
    const std::string& text = layout.regions[i].number.text;
    const bool stands = text == number || text.starts_with(number + " ");
    const bool listed = std::find(layout.without_room.begin(), layout.without_room.end(), number) !=
                        layout.without_room.end();
    EXPECT_NE(stands, listed) << number;
  }
}

TEST(SvgLabels, NeverCoverDotsOrEachOther) {
  for (unsigned seed = 0; seed < 320; ++seed) {
    SCOPED_TRACE(seed);
    const Chart chart = chart_of(fixture::random_profile(seed), {});
    for (const SvgLook& look : {screen_look(), paper_look()}) {
      const SvgLayout layout = layout_svg(chart, look);
      expect_labels_apart(layout);
      expect_each_number(chart, layout);
    }
  }
}

TEST(SvgLabels, OfASlideAreLargeAndInside) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Chart chart = chart_of(fixture::random_profile(seed), {});
    chart.verdict =
        "DRAM bandwidth binds 80 % of the time, and a sentence as long as any says so in "
        "as many words as it takes to fill two lines of a slide.";
    const SvgLayout layout = layout_svg(for_slide(chart, kSlideRegions), slide_look());
    EXPECT_EQ(layout.width, 1600.0);
    EXPECT_EQ(layout.height, 900.0);
    EXPECT_LE(layout.regions.size(), 5U);
    expect_labels_apart(layout);
    for (const PlacedText& text : texts_of(layout)) {
      EXPECT_GE(text.size, 22.0) << text.text;
      for (const Point& corner : outline_of(text)) {
        EXPECT_TRUE(corner.x >= 0.0 && corner.x <= 1600.0 && corner.y >= 0.0 && corner.y <= 900.0)
            << text.text;
      }
    }
  }
}

TEST(SvgLabels, WhatFindsNoPlaceIsListed) {
  const Profile profile = fixture::many_loops(40);
  Chart chart = chart_of(profile, fixture::prediction(profile));
  for (ChartRegion& region : chart.regions) {
    region.flops_per_second = chart.regions.front().flops_per_second;
    region.dots = {chart.regions.front().main_dot()};
    region.binding = 0;
    region.short_name.clear();
  }
  const SvgLayout layout = layout_svg(chart, paper_look());
  ASSERT_FALSE(layout.without_room.empty());
  expect_each_number(chart, layout);
  EXPECT_THAT(chart_svg(chart, paper_look()),
              testing::HasSubstr("without room: " + layout.without_room.front()));
}

}  // namespace
}  // namespace ridge::render
