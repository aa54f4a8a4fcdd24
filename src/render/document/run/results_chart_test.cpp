#include "render/document/run/results_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using ::testing::HasSubstr;

struct Pair {
  Profile before = fixture::profile();
  Profile after = fixture::profile();
  Prediction of_before;
  Prediction of_after;

  Pair() {
    for (Region& region : after.regions) {
      if (region.time_seconds.self) {
        region.time_seconds.self->value = region.time_seconds.self->value * 0.5;
        region.time_seconds.self->low = region.time_seconds.self->low * 0.5;
        region.time_seconds.self->high = region.time_seconds.self->high * 0.5;
      }
    }
    of_before = fixture::prediction(before);
    of_after = fixture::prediction(after);
  }
  [[nodiscard]] std::vector<LabelledResult> results() const {
    return {{"before", &before, &of_before, {}}, {"after", &after, &of_after, {}}};
  }
};

TEST(ResultsChart, ALoopHasOneNumberAndADotForEachResult) {
  const Pair pair;
  const Chart chart = chart_of(pair.results());
  ASSERT_EQ(chart.regions.size(), 5U);
  EXPECT_TRUE(chart.outside.empty());
  EXPECT_FALSE(chart.regions[4].dots[0].intensity);  // 710 flop/byte at DRAM, the ridge is at 4.6
  for (const ChartRegion& region : chart.regions) {
    ASSERT_EQ(region.dots.size(), 2U);
    EXPECT_EQ(region.dots[0].level, 0U);
    EXPECT_EQ(region.dots[1].level, 1U);
    EXPECT_NEAR(*region.dots[1].flops_per_second / *region.dots[0].flops_per_second, 2.0, 1e-9);
  }
  ASSERT_EQ(chart.legend.size(), 2U);
  EXPECT_EQ(chart.legend[1].text, "after");
}

TEST(ResultsChart, EqualRoofsAreDrawnOnce) {
  const Pair pair;
  const Chart chart = chart_of(pair.results());
  EXPECT_EQ(chart.roofs.size(), 4U);
  EXPECT_TRUE(chart.roofs[0].neutral);
  EXPECT_TRUE(chart.roof);
}

TEST(ResultsChart, OtherMachinesBringTheirOwn) {
  Pair pair;
  for (Ceiling& ceiling : pair.after.machine.ceilings) {
    if (auto* rate = std::get_if<Estimate<BytesPerSecond>>(&ceiling.value)) {
      rate->p90 = rate->p90 * 2.0;
      ceiling.traffic_value.reset();
    }
  }
  const Chart chart = chart_of(pair.results());
  ASSERT_EQ(chart.roofs.size(), 2U);
  EXPECT_FALSE(chart.roof);
  EXPECT_THAT(chart.roofs[1].label, HasSubstr("after DRAM"));
  EXPECT_EQ(chart.lower_ceilings.size(), 2U);
}

TEST(ResultsChart, WhatOneResultLacksHasOneDot) {
  Pair pair;
  const std::string gone = pair.after.regions[1].name;
  pair.after.regions[1].name = "another";
  pair.after.regions[1].function = "another";
  const Chart chart = chart_of(pair.results());
  std::size_t single = 0;
  for (const ChartRegion& region : chart.regions) {
    single += region.dots.size() == 1 ? 1 : 0;
  }
  EXPECT_EQ(single, 2U);
}

TEST(ResultsChart, Golden) {
  const Pair pair;
  expect_golden("results.svg", chart_svg(chart_of(pair.results())));
}

TEST(ResultsChart, NoResultsNoChart) {
  EXPECT_TRUE(chart_of(std::span<const LabelledResult>()).regions.empty());
}

}  // namespace
}  // namespace ridge::render
