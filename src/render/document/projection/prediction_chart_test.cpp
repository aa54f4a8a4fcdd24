#include "render/document/projection/prediction_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/format/svg/roofline_svg.hpp"

namespace ridge::render {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ResourceTime resource(const char* name, const char* unit, double rate,
                      std::optional<double> intensity) {
  ResourceTime time;
  time.resource = name;
  time.unit = unit;
  time.rate = rate;
  time.rate_name = name;
  time.intensity = intensity;
  time.overlap = std::string(unit) == "byte" ? Overlap::data : Overlap::compute;
  return time;
}

ResourcePrediction machine(const char* key, double peak, double bandwidth, double intensity) {
  ResourcePrediction prediction;
  prediction.machine = key;
  prediction.machine_name = key;
  prediction.resources = {resource("compute", "flop", peak, std::nullopt),
                          resource("L2", "byte", 4 * bandwidth, intensity / 2),
                          resource("DRAM", "byte", bandwidth, intensity)};
  prediction.attainable = std::min(peak, bandwidth * intensity);
  return prediction;
}

KernelPrediction kernel(const char* name, double intensity, std::size_t machines) {
  KernelPrediction prediction;
  prediction.kernel.name = name;
  prediction.demand.work.fma = 1000000000;
  for (std::size_t i = 0; i < machines; ++i) {
    prediction.machines.push_back(
        machine(("m" + std::to_string(i)).c_str(), 1e12 * (1.0 + i), 1e11 * (1.0 + i), intensity));
  }
  return prediction;
}

TEST(PredictionChart, OneMachineShowsAllItsLevels) {
  const Chart chart = prediction_chart({kernel("triad", 0.1, 1), kernel("gemm", 50.0, 1)});
  EXPECT_THAT(chart.levels, ::testing::ElementsAre("L2", "DRAM"));
  EXPECT_THAT(chart.roofs, SizeIs(2));
  ASSERT_TRUE(chart.roof);
  EXPECT_DOUBLE_EQ(chart.roof->flops_per_second, 1e12);
  ASSERT_THAT(chart.regions, SizeIs(2));
  EXPECT_DOUBLE_EQ(chart.regions[0].flops_per_second, 1e10);
  EXPECT_THAT(chart.regions[0].dots, SizeIs(2));
  EXPECT_DOUBLE_EQ(chart.regions[1].flops_per_second, 1e12);
}

TEST(PredictionChart, AMeasuredTimeStandsBesideWhatIsAttainable) {
  KernelPrediction measured = kernel("triad", 0.1, 1);
  measured.measured_seconds = 0.2;  // 5 GFlop/s of 10
  const Chart chart = prediction_chart({measured});
  ASSERT_THAT(chart.regions, SizeIs(1));
  EXPECT_DOUBLE_EQ(chart.regions[0].flops_per_second, 5e9);
  EXPECT_TRUE(chart.regions[0].dots.front().hollow);
  EXPECT_DOUBLE_EQ(*chart.regions[0].dots.front().flops_per_second, 1e10);
  EXPECT_FALSE(chart.regions[0].dots.back().hollow);
}

TEST(PredictionChart, SeveralMachinesHaveAMemoryRoofEach) {
  KernelPrediction measured = kernel("triad", 0.1, 3);
  measured.measured_seconds = 0.2;
  const Chart chart = prediction_chart({measured, kernel("gemm", 50.0, 3)});
  EXPECT_THAT(chart.roofs, SizeIs(3));
  EXPECT_FALSE(chart.roof);
  EXPECT_DOUBLE_EQ(*chart.roofs[2].peak, 3e12);
  ASSERT_THAT(chart.legend, SizeIs(4));
  EXPECT_EQ(chart.legend[3].text, "measured");
  ASSERT_THAT(chart.regions, SizeIs(2));
  EXPECT_THAT(chart.regions[0].dots, SizeIs(4));
  EXPECT_THAT(chart.regions[1].dots, SizeIs(3));
}

TEST(PredictionChart, DataInACacheKeepTheRoofOfTheMemoryAndHaveTheirOwn) {
  KernelPrediction small = kernel("triad", 0.1, 2);
  ResourcePrediction& in_cache = small.machines[1];
  in_cache.resources[2].intensity.reset();
  in_cache.attainable = 4 * 2e11 * 0.05;
  const Chart chart = prediction_chart({small});
  ASSERT_THAT(chart.roofs, SizeIs(3));
  EXPECT_DOUBLE_EQ(chart.roofs[0].bytes_per_second, 1e11);
  EXPECT_DOUBLE_EQ(chart.roofs[1].bytes_per_second, 2e11);
  EXPECT_DOUBLE_EQ(chart.roofs[2].bytes_per_second, 8e11);
  EXPECT_THAT(chart.roofs[1].label, ::testing::StartsWith("m1 2"));
  EXPECT_THAT(chart.roofs[2].label, ::testing::StartsWith("m1 L2 8"));
  ASSERT_THAT(chart.regions, SizeIs(1));
  ASSERT_THAT(chart.regions[0].dots, SizeIs(2));
  const ChartDot& dot = chart.regions[0].dots[1];
  EXPECT_DOUBLE_EQ(*dot.flops_per_second, *dot.intensity * chart.roofs[2].bytes_per_second);
  EXPECT_THAT(chart.subtitle, HasSubstr("caches that hold the data"));
  // The peak of a machine begins where its steepest roof meets it.
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    EXPECT_EQ(ceiling.at, ceiling.words == "m1" ? 2U : 0U);
  }
}

TEST(PredictionChart, OneMachineKeepsTheRoofsBeyondTheCacheThatHoldsTheData) {
  KernelPrediction small = kernel("triad", 0.1, 1);
  small.machines[0].resources[2].intensity.reset();
  const Chart chart = prediction_chart({small});
  EXPECT_THAT(chart.roofs, SizeIs(2));
  ASSERT_THAT(chart.regions, SizeIs(1));
  EXPECT_THAT(chart.regions[0].dots, SizeIs(1));
}

TEST(PredictionChart, MoreMachinesThanLooksAreLeftOutAndSaidSo) {
  const Chart chart = prediction_chart({kernel("triad", 0.1, 9)});
  EXPECT_THAT(chart.roofs, SizeIs(6));
  EXPECT_THAT(chart.subtitle, HasSubstr("the first 6 of 9"));
}

TEST(PredictionChart, NothingToDrawIsAnEmptyChart) {
  EXPECT_THAT(prediction_chart({}).regions, IsEmpty());
  KernelPrediction workless = kernel("copy", 0.1, 1);
  workless.machines[0].attainable.reset();
  EXPECT_THAT(prediction_chart({workless}).regions, IsEmpty());
  EXPECT_THAT(chart_svg(prediction_chart({workless})), HasSubstr("<svg"));
}

}  // namespace
}  // namespace ridge::render
