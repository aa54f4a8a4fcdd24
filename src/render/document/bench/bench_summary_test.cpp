#include "render/document/bench/bench_summary.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/chart.hpp"
#include "render/chart/text.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(BenchSummary, GoldenScreens) {
  expect_golden("bench_summary_100_unicode.txt",
                bench_summary(fixture::characterised(), {100, true, false}));
  expect_golden("bench_summary_80_ascii.txt",
                bench_summary(fixture::characterised(), {80, false, false}));
}

TEST(BenchSummary, FitsTheTerminalAndOneScreen) {
  for (int columns = 80; columns <= 200; columns += 15) {
    const auto lines = lines_of(bench_summary(fixture::characterised(), {columns, true}));
    EXPECT_LE(lines.size(), 80U);
    for (const std::string& line : lines) {
      ASSERT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
  }
}

TEST(BenchSummary, SaysHowFarTheMeasuredRoofFallsShort) {
  const std::string screen = bench_summary(fixture::characterised(), {200, true});
  EXPECT_THAT(screen, HasSubstr("DRAM 21.0% at "));
  EXPECT_THAT(screen, HasSubstr("held for 6 s: AVX-512 FMA"));
  EXPECT_THAT(screen, HasSubstr("90.0% of the median"));
  EXPECT_THAT(screen, HasSubstr("DRAM load over threads"));
  EXPECT_THAT(screen, HasSubstr("- the hypervisor gave 2.0 %"));
}

TEST(BenchSummary, AboveTheLimitIsNeverPrintedBare) {
  Machine machine = fixture::zen4();
  machine.ceilings.resize(1);
  machine.ceilings[0].limit = p90_of(machine.ceilings[0].value) / 1.05;
  machine.ceilings[0].limit_fraction = 1.05;
  machine.ceilings[0].flags = {"above-limit"};
  const std::string screen = bench_summary(machine, {100, true});
  EXPECT_THAT(screen, HasSubstr("105.0%!"));
  EXPECT_THAT(screen, HasSubstr("above-limit"));
}

Machine one_percent_above_the_limit() {
  Machine machine = fixture::zen4();
  machine.ceilings.resize(1);
  machine.ceilings[0].limit = p90_of(machine.ceilings[0].value) / 1.01;
  machine.ceilings[0].limit_fraction = 1.01;
  return machine;
}

TEST(BenchSummary, WithinTheErrorOfTheClockAboveTheLimitIsMarkedToo) {
  const Machine machine = one_percent_above_the_limit();
  const std::string screen = bench_summary(machine, {100, true});
  EXPECT_THAT(screen, HasSubstr("101.0%~"));
  EXPECT_THAT(screen, HasSubstr("clock"));
}

TEST(BenchSummary, AMachineWithoutAnythingIsSaid) {
  Machine machine = fixture::zen4();
  machine.ceilings.clear();
  EXPECT_THAT(bench_summary(machine, {100, true}), HasSubstr("no ceilings were measured"));
  EXPECT_THAT(bench_summary(fixture::zen4(), {100, true}), Not(HasSubstr("measured roof")));
}

TEST(ChartOfMachine, HoldsTheMeasuredRoofsInItsScales) {
  const Chart chart = chart_of(fixture::characterised());
  ASSERT_EQ(chart.measured.size(), 4U);
  EXPECT_EQ(chart.threads, 2U);
  for (const MeasuredCurve& curve : chart.measured) {
    EXPECT_EQ(curve.points.size(), 15U);
    for (const auto& point : curve.points) {
      EXPECT_GE(chart.x.position(point.intensity), 0.0);
      EXPECT_LE(chart.x.position(point.intensity), 1.0);
      EXPECT_GE(chart.y.position(point.flops_per_second), 0.0);
      EXPECT_LE(chart.y.position(point.flops_per_second), 1.0);
    }
  }
  EXPECT_EQ(chart.x_title(), "Intensity [flop/byte]");
  EXPECT_EQ(chart_of(fixture::zen4()).threads, 2U) << "no measured roof: all threads";
}

}  // namespace

void bench_summary_sentences(tests::Sentences& sentences) {
  sentences.add("bench: one percent above the limit",
                bench_summary(one_percent_above_the_limit(), {100, true}));
}

}  // namespace ridge::render
