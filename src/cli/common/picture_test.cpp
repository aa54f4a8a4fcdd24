#include "cli/common/picture.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kDate = "2026-01-02T03:04:05Z";
constexpr const char* kSvg =
    R"(<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><text x="2" y="12">Words</text></svg>)";

std::string program() {
  return picture_program_path();  // tests lie in bin/, as ridge does
}

TEST(Picture, WithoutItsProgramIsSaid) {
  const auto made = picture_of(kSvg, "pdf", kDate, "/nonexistent/ridge-picture");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unavailable);
  EXPECT_THAT(made.error().message, HasSubstr("librsvg"));
  EXPECT_THAT(made.error().hint, HasSubstr("librsvg2-dev"));
}

TEST(Picture, KindsAreWhatTheySay) {
  if (!fs::exists(program())) {
    GTEST_SKIP() << "built without librsvg";
  }
  const auto pdf = picture_of(kSvg, "pdf", kDate, program());
  ASSERT_TRUE(pdf) << pdf.error().message;
  EXPECT_TRUE(pdf->starts_with("%PDF-"));
  EXPECT_EQ(*pdf, *picture_of(kSvg, "pdf", kDate, program()));  // no clock in it
  const auto png = picture_of(kSvg, "png", kDate, program());
  ASSERT_TRUE(png) << png.error().message;
  EXPECT_TRUE(png->starts_with("\x89PNG"));
}

TEST(Picture, NoSvgIsAnError) {
  if (!fs::exists(program())) {
    GTEST_SKIP() << "built without librsvg";
  }
  for (const char* text : {"", "<svg", "no picture"}) {
    const auto made = picture_of(text, "png", kDate, program());
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().code, ErrorCode::bad_input);
  }
}

}  // namespace
}  // namespace ridge::cli
