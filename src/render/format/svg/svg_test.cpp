#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

SvgLayout layout_of(const Profile& profile) {
  return layout_svg(chart_of(profile, fixture::prediction(profile)));
}

std::vector<PlacedText> all_texts(const SvgLayout& layout) {
  std::vector<PlacedText> texts = layout.texts;
  for (const PlacedRegion& region : layout.regions) {
    texts.push_back(region.number);
  }
  for (const PlacedLegend& entry : layout.legend) {
    texts.push_back(entry.text);
  }
  return texts;
}

void expect_no_overlap(const SvgLayout& layout) {
  const auto texts = all_texts(layout);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      EXPECT_FALSE(overlap(box_of(texts[i]), box_of(texts[j])))
          << texts[i].text << " / " << texts[j].text;
    }
    const Box box = box_of(texts[i]);
    EXPECT_GE(box.x - (texts[i].angle == 0.0 ? box.half_width : 0.0), -0.5) << texts[i].text;
    EXPECT_LE(box.x + (texts[i].angle == 0.0 ? box.half_width : 0.0), layout.width + 0.5)
        << texts[i].text;
  }
}

/// A program on a machine whose roofs and ceilings lie as close as the seed makes them.
Profile varied(unsigned seed) {
  Profile profile = fixture::many_loops(1 + seed % 37);
  for (Ceiling& ceiling : profile.machine.ceilings) {
    if (ceiling.kind == CeilingKind::bandwidth) {
      const double rate = 40e9 * (1.0 + 0.05 * seed * static_cast<double>(ceiling.id.size() % 5));
      ceiling.value = Estimate<BytesPerSecond>{BytesPerSecond(rate), BytesPerSecond(rate)};
      ceiling.traffic_value.reset();
    }
  }
  for (std::size_t i = 1; i < profile.regions.size(); ++i) {
    const double seconds = 0.01 * std::pow(1.0 + 0.03 * seed, static_cast<double>(i % 11));
    profile.regions[i].time_seconds.self->value = Seconds(seconds);
  }
  return profile;
}

TEST(Overlap, TurnedRectangles) {
  const Box box{0.0, 0.0, 10.0, 5.0, 0.0};
  EXPECT_TRUE(overlap(box, {15.0, 0.0, 6.0, 5.0, 0.0}));
  EXPECT_FALSE(overlap(box, {20.0, 0.0, 10.0, 5.0, 0.0}));  // edges touch
  EXPECT_FALSE(overlap(box, {0.0, 16.0, 10.0, 5.0, 90.0}));
  EXPECT_TRUE(overlap(box, {0.0, 14.0, 10.0, 5.0, 90.0}));
  // The bounding boxes of these two meet, they do not.
  EXPECT_FALSE(overlap({0.0, 0.0, 20.0, 1.0, 45.0}, {8.0, -8.0, 20.0, 1.0, 45.0}));
}

TEST(SvgLayout, TextNeverTouchesText) {
  expect_no_overlap(layout_of(fixture::profile()));
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_no_overlap(layout_of(varied(seed)));
  }
}

TEST(SvgLayout, DotsLieInsideThePlot) {
  for (const Profile& profile : {fixture::profile(), varied(9), fixture::many_loops(40)}) {
    const SvgLayout layout = layout_of(profile);
    ASSERT_FALSE(layout.regions.empty());
    for (const PlacedRegion& region : layout.regions) {
      for (const PlacedMark& mark : region.marks) {
        EXPECT_GT(mark.x, layout.left);
        EXPECT_LT(mark.x, layout.right);
        EXPECT_GT(mark.y, layout.top);
        EXPECT_LT(mark.y, layout.bottom);
      }
    }
  }
}

TEST(SvgLayout, NumbersStandNearTheDotOfTheLevelThatBinds) {
  const Profile profile = fixture::profile();
  const Chart chart = chart_of(profile, fixture::prediction(profile));
  const SvgLayout layout = layout_svg(chart);
  ASSERT_EQ(layout.regions.size(), 5U);
  EXPECT_TRUE(layout.without_room.empty());
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    const PlacedRegion& region = layout.regions[i];
    const PlacedMark& main = region.marks[region.main];
    EXPECT_EQ(main.style, level_style_index(chart.levels[chart.regions[i].main_dot().level], 0));
    const Box label = box_of(region.number);
    EXPECT_LE(std::abs(label.y - main.y), main.radius + 70.0);
    EXPECT_LE(std::abs(label.x - main.x), main.radius + 70.0 + label.half_width);
  }
}

TEST(SvgLayout, ThreeRegionsShowEveryLevelTheOthersWhereAReaderPoints) {
  const Profile profile = fixture::profile();
  const SvgLayout layout = layout_of(profile);
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    EXPECT_EQ(layout.regions[i].hover_marks.empty(), i < 3) << i;
    EXPECT_EQ(layout.regions[i].marks.size() > 1, i < 3) << i;
  }
  const std::string svg = roofline_svg(profile, fixture::prediction(profile));
  EXPECT_EQ(count(svg, "<g class=\"more\">"), 2U);
  EXPECT_EQ(count(svg, ".region:hover .more{display:inline}"), 1U);
}

TEST(SvgLayout, RegionsWithLittleTimeAreSpecks) {
  const Profile profile = fixture::many_loops(200);  // 0.5 % each
  const Chart chart = chart_of(profile, fixture::prediction(profile));
  EXPECT_EQ(chart.regions.size(), 10U);
  EXPECT_EQ(chart.specks.size(), 190U);
  EXPECT_EQ(layout_svg(chart).specks.size(), 190U);
}

TEST(SvgLayout, ZonesEndAtTheRidgePoints) {
  const Profile profile = fixture::profile();
  const Chart chart = chart_of(profile, fixture::prediction(profile));
  const SvgLayout layout = layout_svg(chart);
  ASSERT_EQ(layout.zones.size(), 2U);
  const auto x_of = [&](double intensity) {
    return layout.left + chart.x.position(intensity) * (layout.right - layout.left);
  };
  const double peak = chart.roof->flops_per_second;
  EXPECT_NEAR(layout.zones[0].right, x_of(peak / chart.roofs.front().bytes_per_second), 1e-6);
  EXPECT_NEAR(layout.zones[1].left, x_of(peak / chart.roofs.back().bytes_per_second), 1e-6);
  const std::string svg = roofline_svg(profile, fixture::prediction(profile));
  EXPECT_EQ(count(svg, ">memory-bound<"), 1U);
  EXPECT_EQ(count(svg, ">compute-bound<"), 1U);
}

TEST(SvgLayout, TheLegendHasNoMarkThatNoDotHas) {
  Chart chart = chart_of(fixture::profile(), {});
  chart.regions.clear();
  for (const PlacedLegend& entry : layout_svg(chart).legend) {
    EXPECT_FALSE(entry.mark);
    EXPECT_TRUE(entry.line);
  }
}

TEST(SvgLayout, RoofsEndWhereTheComputeRoofBegins) {
  const SvgLayout layout = layout_of(fixture::profile());
  const auto roof = std::find_if(layout.ceilings.begin(), layout.ceilings.end(),
                                 [](const PlacedLine& line) { return line.css == "roof"; });
  ASSERT_NE(roof, layout.ceilings.end());
  ASSERT_EQ(layout.roofs.size(), 4U);
  EXPECT_NEAR(layout.roofs.front().x2, roof->x1, 1e-6);
  for (const PlacedLine& line : layout.roofs) {
    EXPECT_NEAR(line.y2, roof->y1, 1e-6);
    EXPECT_GT(line.y1, line.y2);
  }
}

TEST(Svg, Golden) {
  const Profile profile = fixture::profile();
  expect_golden("roofline.svg", roofline_svg(profile, fixture::prediction(profile)));
}

TEST(Svg, ShapeAsWellAsColour) {
  const Profile profile = fixture::profile();
  const std::string svg = roofline_svg(profile, fixture::prediction(profile));
  for (const char* css :
       {"dot heat1", "dot heat2", "dot heat3", "dot heat4", "bandwidth stroke3"}) {
    EXPECT_GT(count(svg, css), 0U) << css;
  }
  EXPECT_GT(count(svg, "<polygon"), 12U);
  EXPECT_GT(count(svg, "<circle"), 4U);
}

TEST(Svg, NothingExternal) {
  const Profile profile = fixture::profile();
  const std::string svg = roofline_svg(profile, fixture::prediction(profile));
  EXPECT_EQ(count(svg, "http"), 1U);  // the name space
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "href"), 0U);
  EXPECT_EQ(count(svg, "nan"), 0U);
  EXPECT_EQ(count(svg, "inf"), 0U);
}

TEST(Svg, HostileNames) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.name = kHostile;
    region.file = kHostile;
  }
  profile.machine.name = kHostile;
  profile.program.argv = {kHostile};
  const std::string svg = roofline_svg(profile, fixture::prediction(profile));
  EXPECT_EQ(count(svg, "<img"), 0U);
  EXPECT_EQ(count(svg, "</script"), 0U);
  EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));
  for (const char c : svg) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  expect_golden("hostile.svg", svg);  // held against an XML parser by another test
}

TEST(Svg, EmptyProfileIsStillAPicture) {
  const std::string svg = roofline_svg({}, {});
  EXPECT_NE(svg.find("No ceilings"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  expect_golden("empty.svg", svg);
}

TEST(Svg, WithoutRegionsShowsTheRoofs) {
  Profile profile;
  profile.machine = fixture::zen4();
  const SvgLayout layout = layout_svg(chart_of(profile, {}));
  EXPECT_EQ(layout.roofs.size(), 4U);
  EXPECT_TRUE(layout.regions.empty());
  expect_no_overlap(layout);
}

TEST(Svg, WithoutCeilingsShowsTheDots) {
  Profile profile = fixture::profile();
  profile.machine.ceilings.clear();
  const SvgLayout bare = layout_svg(chart_of(profile, {}));
  EXPECT_EQ(bare.regions.size(), 5U);
  EXPECT_TRUE(bare.roofs.empty());
}

TEST(Svg, RoofsOfAMachineAlone) {
  expect_golden("roofs.svg", roofs_svg(fixture::characterised()));
  const SvgLayout layout = layout_svg(chart_of(fixture::characterised()));
  EXPECT_EQ(layout.measured.size(), 60U);
  EXPECT_EQ(layout.roofs.size(), 4U);
  EXPECT_TRUE(layout.regions.empty());
  for (const PlacedMark& mark : layout.measured) {
    EXPECT_GE(mark.x, layout.left);
    EXPECT_LE(mark.x, layout.right);
    EXPECT_GE(mark.y, layout.top);
    EXPECT_LE(mark.y, layout.bottom);
  }
}

}  // namespace
}  // namespace ridge::render
