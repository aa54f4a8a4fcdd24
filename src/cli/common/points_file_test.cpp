#include "cli/common/points_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;

std::string message(std::string_view text) {
  const auto points = parse_points(text, "p");
  return points ? std::string("fine") : points.error().message;
}

TEST(PointsFile, CsvWithALineOfNames) {
  const auto points = parse_points(
      "# three kernels\n"
      "name, work, bytes.L2, bytes.DRAM, time, precision\n"
      "triad, 2e9, , 24 GB, 150ms, fp64\n"
      "\n"
      "\"a, b\", 1Gflop, 8GB, 4GB, , fp32\r\n",
      "points.csv");
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 2U);
  const predict::ComputationFigures& triad = points->front().figures;
  EXPECT_EQ(triad.name, "triad");
  EXPECT_EQ(points->front().place, "points.csv:3");
  EXPECT_DOUBLE_EQ(triad.work.value(), 2e9);
  EXPECT_EQ(triad.bytes_at, (std::map<Level, double>{{Level::DRAM, 24e9}}));
  EXPECT_DOUBLE_EQ(triad.seconds.value(), 0.15);
  const predict::ComputationFigures& second = points->back().figures;
  EXPECT_EQ(second.name, "a, b");
  EXPECT_FALSE(second.seconds);
  EXPECT_EQ(second.precision, "fp32");
  EXPECT_EQ(points->back().place, "points.csv:5");
}

TEST(PointsFile, JsonAsAListOrAnObject) {
  for (
      const char* text :
      {R"([{"name": "a", "work": {"fma": 2e6}, "bytes": {"L2": "4MB"}, "time": "1ms"}])",
       R"({"points": [{"name": "a", "work": {"fma": 2000000}, "bytes": {"L2": 4e6}, "time": 0.001}]})"}) {
    const auto points = parse_points(text, "p.json");
    ASSERT_TRUE(points) << text;
    ASSERT_EQ(points->size(), 1U);
    const predict::ComputationFigures& figures = points->front().figures;
    EXPECT_EQ(figures.work_by_kind, (std::map<std::string, double>{{"fma", 2e6}}));
    EXPECT_EQ(figures.bytes_at, (std::map<Level, double>{{Level::L2, 4e6}}));
    EXPECT_DOUBLE_EQ(figures.seconds.value(), 1e-3);
  }
}

TEST(PointsFile, APointWithoutANameIsCalledByItsPlace) {
  EXPECT_EQ(parse_points("work,bytes\n1,2\n", "p")->front().figures.name, "p:2");
}

TEST(PointsFile, WhatIsWrongHasItsLine) {
  EXPECT_THAT(message(""), HasSubstr("no point"));
  EXPECT_THAT(message("work,bytes\n"), HasSubstr("no point"));
  EXPECT_THAT(message("work,bytes\n1\n"), HasSubstr("p:2: 1 cells, but 2 columns"));
  EXPECT_THAT(message("work\n\"1\n"), HasSubstr("p:2: a quote"));
  EXPECT_THAT(message("wrok\n1\n"), HasSubstr("p:2: there is no figure `wrok`"));
  EXPECT_THAT(message("work,time\n1,soon\n"), HasSubstr("p:2: time: `soon`"));
  EXPECT_THAT(message("work,bytes.L9\n1,2\n"), HasSubstr("p:2: bytes.L9"));
  EXPECT_THAT(message("work,work\n1,2\n"), HasSubstr("work is given twice"));
  EXPECT_THAT(message("work\n-1\n"), HasSubstr("`-1`"));
  EXPECT_THAT(message("[1]"), HasSubstr("p:1: a point is an object"));
  EXPECT_THAT(message("{}"), HasSubstr("no list of points"));
  EXPECT_THAT(message("[{\n\"work\": true}]"), HasSubstr("p:1: work"));
  EXPECT_THAT(message("[{\"work\": [1]}]"), HasSubstr("work"));
  EXPECT_THAT(message("[{]"), HasSubstr("p:1"));
}

}  // namespace
}  // namespace ridge::cli
