#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// BerkeleyGW's GPP on a V100: metrics of ncu, and what nvprof and the authors give for the same
/// run.
TEST(Ncu, PublishedMetricsGiveThePublishedNumbers) {
  const Imported imported = import_file("ncu_raw.csv");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.function, "NumBandNgpown_kernel");
  EXPECT_EQ(region.kind, RegionKind::kernel);
  EXPECT_EQ(region.device, "gpu0");
  EXPECT_EQ(region.flops->total(), 164886478848U + 1429016150016U + 2 * 2363372863488U);
  EXPECT_NEAR(static_cast<double>(region.flops->total()), 6320.6e9, 1e-4 * 6320.6e9);
  EXPECT_NEAR(region.time_seconds.self->value.value(), 1.2808043044885498, 1e-4);
  EXPECT_NEAR(performance(region)->value(), 4934.9e9, 1e-3 * 4934.9e9);
  EXPECT_NEAR(intensity(region, "DRAM")->value(), 13.156, 1e-3);
  EXPECT_NEAR(intensity(region, "DRAM")->value(), 13.13976773, 2e-3 * 13.14)
      << "as plotted by its authors";
  EXPECT_NEAR(intensity(region, "L2")->value(), 5.0565, 1e-3);
  EXPECT_NEAR(intensity(region, "L1")->value(), 4.0004, 1e-3);
  EXPECT_TRUE(has_note(region.notes, "direction-unknown"));
}

TEST(Ncu, LaunchesOfOneKernelAddUp) {
  const Imported imported = import_file("ncu_details.csv");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.name, "axpy(int, double, \"x\")");
  EXPECT_EQ(region.entries, 2U);
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 50e-6);
  EXPECT_FALSE(region.flops) << "additions of the second launch are not known";
}

TEST(Ncu, APercentageOfThePeakIsARate) {
  const Imported imported = import_file("ncu_details.csv");
  // 0.5 * 1280 byte * 1.25 GHz * 12.5 us, and 25 MB of the second launch without its direction.
  EXPECT_EQ(imported.regions[0].traffic.at("DRAM"), (Traffic{10000000 + 25000000, 0}));
}

TEST(Ncu, PeaksAreRoofsOfTheDevice) {
  const Imported imported = import_file("ncu_details.csv");
  const Ceiling* memory = find_ceiling(imported.machine, "bandwidth.DRAM.load.any.t1");
  ASSERT_NE(memory, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(memory->value), 1280 * 1.25e9);
  EXPECT_FALSE(memory->device) << "the machine of the result is the device";
  EXPECT_EQ(imported.machine.name, "GPU of compute capability 8.0");
  const Ceiling* peak = find_ceiling(imported.machine, "compute.fp64.vector.fma.t1");
  ASSERT_NE(peak, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(peak->value), 2 * 3456 * 1.4e9);
}

constexpr std::string_view kHead =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

Region region_of(std::string_view rows) {
  const auto imported = import_text({std::string(kHead) + std::string(rows), "f.txt"}, "ncu");
  EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
  return imported ? imported->regions.at(0) : Region{};
}

TEST(Ncu, UnitsOfOldAndNewVersions) {
  for (const auto& [unit, seconds] : std::vector<std::pair<std::string, double>>{{"nsecond", 1e-9},
                                                                                 {"ns", 1e-9},
                                                                                 {"us", 1e-6},
                                                                                 {"msecond", 1e-3},
                                                                                 {"s", 1.0},
                                                                                 {"second", 1.0}}) {
    const Region region = region_of("\"0\",\"1\",\"k\",\"Duration\",\"" + unit + "\",\"4\"\n");
    EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 4 * seconds) << unit;
  }
  const Region region = region_of(
      "\"0\",\"1\",\"k\",\"Duration\",\"s\",\"2\"\n\"0\",\"1\",\"k\",\"Memory "
      "Throughput\",\"%\",\"80\"\n"
      "\"0\",\"1\",\"k\",\"Memory Throughput\",\"Kbyte/s\",\"3\"\n");
  EXPECT_EQ(region.traffic.at("DRAM").total(), 6000U);
}

TEST(Ncu, TheRooflineSectionGivesRatesByCycle) {
  const Region region = region_of(
      "\"0\",\"1\",\"k\",\"gpu__time_duration.sum\",\"usecond\",\"10\"\n"
      "\"0\",\"1\",\"k\",\"smsp__cycles_elapsed.avg.per_second\",\"cycle/nsecond\",\"1.5\"\n"
      "\"0\",\"1\",\"k\",\"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed\","
      "\"inst/cycle\",\"100\"\n"
      "\"0\",\"1\",\"k\",\"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed\","
      "\"inst/cycle\",\"0\"\n"
      "\"0\",\"1\",\"k\",\"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2\",\"inst/"
      "cycle\",\"400\"\n");
  // 15000 cycles.
  EXPECT_EQ(region.flops->total(Precision::fp32), 1500000U + 6000000U);
  EXPECT_FALSE(region.flops->total(Precision::fp64));
}

TEST(Ncu, CyclesAndFrequencyOfTheSpeedOfLightAreATime) {
  const Region region = region_of(
      "\"0\",\"1\",\"k\",\"Elapsed Cycles\",\"cycle\",\"13,181,137\"\n"
      "\"0\",\"1\",\"k\",\"SM Frequency\",\"cycle/nsecond\",\"1.25\"\n");
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 13181137 / 1.25e9);
}

TEST(Ncu, BrokenFilesGiveFileLineAndReason) {
  const auto of_rows = [](std::string_view rows) {
    return refusal(std::string(kHead) + std::string(rows), "ncu");
  };
  EXPECT_THAT(of_rows("\"0\",\"1\",\"k\",\"Duration\",\"parsec\",\"4\"\n"),
              AllOf(HasSubstr("f.txt:2:"), HasSubstr("parsec")));
  EXPECT_THAT(of_rows("\"0\",\"1\",\"k\",\"Duration\",\"s\",\"four\"\n"),
              AllOf(HasSubstr("f.txt:2:"), HasSubstr("four")));
  EXPECT_THAT(of_rows("\"0\",\"1\",\"k\"\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_rows("\"0\",\"1\",\"k\",\"Duration\",\"s\",\"4\"\n\"0\",\"1\",\"k\",\"Duration\","
                      "\"s\",\"5\"\n"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("twice")));
  EXPECT_THAT(of_rows("\"0\",\"1\",\"k\",\"Duration\",\"s\",\"-4\"\n"), HasSubstr("cannot be"));
  EXPECT_THAT(of_rows(""), HasSubstr("without a launch"));
  EXPECT_THAT(refusal("\"ID\",\"Process ID\",\"Kernel Name\",\"x\"\n\"\",\"\",\"\",\"\"\n", "ncu"),
              HasSubstr("f.txt:2:"));
  EXPECT_THAT(
      refusal("\"ID\",\"Process ID\",\"Kernel Name\",\"Duration\"\n\"0\",\"1\",\"k\",\"5\"\n",
              "ncu"),
      HasSubstr("units"));
  EXPECT_THAT(refusal("\"ID\",\"Process ID\",\"Name\"\n", "ncu"), HasSubstr("Kernel Name"));
}

}  // namespace
}  // namespace ridge::imports
