#include "render/chart/palette.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::render {
namespace {

using ::testing::MatchesRegex;

TEST(Palette, ASheetNamesItsColours) {
  EXPECT_EQ(coloured("a{fill:$ink;stroke:$page}", Theme::light), "a{fill:#1d2328;stroke:#fff}");
  EXPECT_EQ(coloured("a{fill:$ink;stroke:$page}", Theme::dark), "a{fill:#e4e8eb;stroke:#15191d}");
  EXPECT_EQ(coloured("a{stroke:$ink", Theme::light), "a{stroke:#1d2328");
  EXPECT_EQ(coloured("a{font-family:$fonts}", Theme::dark),
            "a{font-family:" + std::string(kScreenFonts) + "}");
  EXPECT_EQ(coloured("", Theme::light), "");
}

TEST(Palette, EachNameIsOneColour) {
  std::set<std::string_view> names;
  for (const Colour& colour : palette::kAll) {
    EXPECT_TRUE(names.insert(colour.name).second) << colour.name;
    EXPECT_THAT(std::string(colour.name), MatchesRegex("[a-z]+"));
    for (const Theme theme : {Theme::light, Theme::dark}) {
      EXPECT_THAT(std::string(colour.in(theme)), MatchesRegex("#[0-9a-f]+"));
      EXPECT_EQ(coloured("$" + std::string(colour.name) + ";", theme),
                std::string(colour.in(theme)) + ";");
    }
  }
}

}  // namespace
}  // namespace ridge::render
