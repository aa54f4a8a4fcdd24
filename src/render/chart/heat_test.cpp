#include "render/chart/heat.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

/// Relative luminance of "#rrggbb" (WCAG 2.1): what remains to those who see no colours.
double luminance(std::string_view hex) {
  const auto part = [&](std::size_t at) {
    const double value = std::stoi(std::string(hex.substr(at, 2)), nullptr, 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

double contrast(std::string_view a, std::string_view b) {
  const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
  return (light + 0.05) / (dark + 0.05);
}

TEST(Heat, GrowsInContrastWithTheBackgroundWithoutHues) {
  for (const auto& [theme, background] :
       {std::pair(Theme::light, "#ffffff"), std::pair(Theme::dark, "#15191d")}) {
    for (std::size_t step = 1; step < kHeatSteps; ++step) {
      EXPECT_GT(contrast(heat_style(step).colour.in(theme), background),
                1.25 * contrast(heat_style(step - 1).colour.in(theme), background))
          << step;
    }
    EXPECT_GT(contrast(heat_style(kHeatSteps - 1).colour.in(theme), background), 7.0);
  }
}

TEST(Heat, FollowsTheShareOfTheTime) {
  std::vector<std::size_t> steps;
  for (const double share : {0.0, 0.0099, 0.01, 0.05, 0.2, 0.3, 1.0}) {
    steps.push_back(heat_step(share));
  }
  EXPECT_THAT(steps, testing::ElementsAre(0, 0, 1, 2, 3, 4, 4));
}

// Page and picture of one result show the same colours.
TEST(Heat, IsThatOfThePage) {
  std::ifstream file("../../web/src/palette.ts");
  ASSERT_TRUE(file);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Theme theme : {Theme::light, Theme::dark}) {
    for (std::size_t step = 0; step < kHeatSteps; ++step) {
      EXPECT_THAT(page, testing::HasSubstr(std::string(heat_style(step).colour.in(theme))));
    }
    for (const Colour& zone : {palette::kMemoryZone, palette::kComputeZone}) {
      EXPECT_THAT(page, testing::HasSubstr(std::string(zone.in(theme))));
    }
  }
}

}  // namespace
}  // namespace ridge::render
