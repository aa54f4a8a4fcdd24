#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Advisor, LoopsHaveWorkTimeAndTrafficByLevel) {
  const Imported imported = import_file("advisor.csv");
  ASSERT_EQ(imported.regions.size(), 3U);
  const Region& loop = imported.regions[0];
  EXPECT_EQ(loop.kind, RegionKind::loop);
  EXPECT_EQ(loop.function, "multiply");
  EXPECT_EQ(loop.file, "solution.cpp");
  EXPECT_EQ(loop.line, 32U);
  EXPECT_DOUBLE_EQ(loop.time_seconds.self->value.value(), 2.0);
  EXPECT_DOUBLE_EQ(loop.cpu_seconds.self->value.value(), 4.0);
  EXPECT_EQ(loop.entries, 1000U);
  EXPECT_EQ(loop.flops->total(Precision::fp64), 16000000000U);
  EXPECT_EQ(loop.traffic.at("L1").total(), 128000000000U);
  EXPECT_EQ(loop.traffic.at("DRAM").total(), 8000000000U);
  EXPECT_EQ(loop.traffic_origins.at(Level::L1), Origin::counted);
  EXPECT_EQ(imported.origins.traffic, Origin::simulated);
  EXPECT_TRUE(has_note(loop.notes, "direction-unknown"));
}

/// Self GFLOPS and Self AI of the file follow from what was read.
TEST(Advisor, TheDotIsThatOfTheFile) {
  const Imported imported = import_file("advisor.csv");
  const Region& loop = imported.regions.at(0);
  const double flops = static_cast<double>(loop.flops->total());
  EXPECT_DOUBLE_EQ(flops / loop.time_seconds.self->value.value(), 8.0e9);
  EXPECT_DOUBLE_EQ(flops / static_cast<double>(loop.traffic.at("L1").total()), 0.125);
}

TEST(Advisor, DataTypesGiveThePrecision) {
  const Imported imported = import_file("advisor.csv");
  EXPECT_EQ(imported.regions.at(1).flops->total(Precision::fp32), 1000000000U);
  EXPECT_FALSE(imported.regions.at(1).flops->total(Precision::fp64));
  EXPECT_FALSE(has_note(imported.regions.at(1).notes, "precision-unknown"));
}

TEST(Advisor, WhatIsBelowTheResolutionIsUnknown) {
  const Imported imported = import_file("advisor.csv");
  const Region& main = imported.regions.at(2);
  EXPECT_EQ(main.kind, RegionKind::function);
  EXPECT_EQ(main.entries, 1U);
  EXPECT_FALSE(main.time_seconds.self);
  EXPECT_FALSE(main.flops);
  EXPECT_TRUE(main.traffic.empty());
}

constexpr std::string_view kHead =
    "ID\tFunction Call Sites and Loops\tSelf Elapsed Time\tSelf GFLOPS\tSelf GB/s\n";

TEST(Advisor, RatesAndATimeGiveWorkAndTraffic) {
  const auto imported = import_text({std::string(kHead) + "1\tf\t2s\t3\t4\n", "f"});
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->regions.at(0).flops->total(), 6000000000U);
  EXPECT_EQ(imported->regions.at(0).traffic.at("L1").total(), 8000000000U);
  EXPECT_TRUE(has_note(imported->regions.at(0).notes, "precision-unknown"));
}

TEST(Advisor, BrokenFilesGiveFileLineAndReason) {
  const auto of_rows = [](std::string_view rows) {
    return refusal(std::string(kHead) + std::string(rows));
  };
  EXPECT_THAT(of_rows("1\tf\t2s\n"), AllOf(HasSubstr("f.txt:2:"), HasSubstr("cells")));
  EXPECT_THAT(of_rows("1\tf\tx\t3\t4\n"), AllOf(HasSubstr("f.txt:2:"), HasSubstr("Self Elapsed")));
  EXPECT_THAT(of_rows("1\tf\t-2s\t3\t4\n"), HasSubstr("no amount"));
  EXPECT_THAT(of_rows("1\tf\t2s\t3\t4\n1\tg\t2s\t3\t4\n"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("twice")));
  EXPECT_THAT(of_rows(""), HasSubstr("no figure"));
  EXPECT_THAT(refusal("ID\tFunction Call Sites and Loops\tSelf Time\tSelf Time\n", "advisor"),
              HasSubstr("twice"));
  EXPECT_THAT(refusal("hello\n", "advisor"), HasSubstr("header"));
}

}  // namespace
}  // namespace ridge::imports
