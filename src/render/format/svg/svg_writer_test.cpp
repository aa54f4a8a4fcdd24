#include "render/format/svg/svg_writer.hpp"

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

TEST(SvgWriter, LeavesOutAttributesWithoutAValue) {
  EXPECT_EQ(svg::element("rect", {{"x", "1"}, {"class", ""}}), R"(<rect x="1"/>)");
  EXPECT_EQ(svg::element("g", {}, ""), "<g></g>");
  EXPECT_EQ(svg::text({1.0, 2.04}, {11.5, {}, {}, {}}, "a"),
            R"(<text x="1.0" y="2.0" font-size="11.5">a</text>)");
}

TEST(SvgWriter, EscapesTextsAlone) {
  EXPECT_EQ(svg::title("a<b>&"), "<title>a&lt;b&gt;&amp;</title>");
  EXPECT_EQ(svg::title_of_root("<"), R"(<title id="ridge-title">&lt;</title>)");
  EXPECT_EQ(svg::description_of_root("<"), R"(<desc id="ridge-description">&lt;</desc>)");
  EXPECT_EQ(svg::text({}, {12.0, "end", "rank", "skewX(1)"}, "<"),
            "<text x=\"0.0\" y=\"0.0\" font-size=\"12\" text-anchor=\"end\" class=\"rank\" "
            "transform=\"skewX(1)\">&lt;</text>");
  EXPECT_EQ(svg::style("a>b{}"), "<style>a>b{}</style>");
}

TEST(SvgWriter, ShapesStandToATenth) {
  EXPECT_EQ(svg::line({0.0, 1.26}, {2.0, 3.0}, "join"),
            R"(<line x1="0.0" y1="1.3" x2="2.0" y2="3.0" class="join"/>)");
  EXPECT_EQ(svg::circle({1.0, 2.0}, svg::tenths(4.5), "dot"),
            R"(<circle cx="1.0" cy="2.0" r="4.5" class="dot"/>)");
  EXPECT_EQ(svg::polygon({{0.0, 0.0}, {1.0, 0.25}}, "fill0", ".13"),
            R"(<polygon points="0.0,0.0 1.0,0.2" fill-opacity=".13" class="fill0"/>)");
  EXPECT_EQ(svg::polyline({{0.0, 0.0}}, "reached"),
            R"(<polyline points="0.0,0.0" class="reached"/>)");
  EXPECT_EQ(svg::rectangle({1.0, 2.0}, 3.0, 4.0, "frame"),
            R"(<rect x="1.0" y="2.0" width="3.0" height="4.0" class="frame"/>)");
  EXPECT_EQ(svg::ground("page"), R"(<rect width="100%" height="100%" class="page"/>)");
}

TEST(SvgWriter, ARootSaysWhatItIs) {
  EXPECT_EQ(
      svg::opening({"0 0 2 1", "2", "1", "x", true, {}}),
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 2 1\" width=\"2\" height=\"1\" "
      "role=\"img\" aria-labelledby=\"ridge-title ridge-description\" class=\"x\">\n");
}

}  // namespace
}  // namespace ridge::render
