#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Region region_of(std::string_view text) {
  const auto imported = import_text({text, "f.txt"});
  EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
  return imported ? imported->regions.at(0) : Region{};
}

TEST(PerfStat, RealRunsWithSoftwareEvents) {
  const Imported csv = import_file("perf_stat.csv");
  EXPECT_DOUBLE_EQ(csv.wall_seconds->value(), 5855464e-9);
  EXPECT_DOUBLE_EQ(csv.regions[0].cpu_seconds.self->value.value(), 1.50e-3);
  EXPECT_EQ(csv.regions[0].kind, RegionKind::program);
  EXPECT_FALSE(csv.regions[0].flops);
  const Imported json = import_file("perf_stat.json");
  EXPECT_DOUBLE_EQ(json.wall_seconds->value(), 14005089e-9);
  EXPECT_DOUBLE_EQ(json.regions[0].cpu_seconds.self->value.value(), 0.778191e-3);
}

constexpr std::string_view kIntel =
    "100;;fp_arith_inst_retired.scalar_double;1;100.00;;\n"
    "10;;fp_arith_inst_retired.128b_packed_double;1;100.00;;\n"
    "20;;FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE:u;1;50.00;;\n";

TEST(PerfStat, FlopsByWidth) {
  const Region region = region_of(kIntel);
  EXPECT_EQ(region.flops->total(Precision::fp64), 100U + 20U + 80U);
  EXPECT_EQ(region_of(std::string(kIntel) + "3;;fp_arith_inst_retired.512b_packed_double;1;100;;\n")
                .flops->total(),
            224U);
}

TEST(PerfStat, SpeaksOfScaledAndUserOnlyEvents) {
  const auto imported = import_text({kIntel, "f.txt"});
  ASSERT_TRUE(imported);
  EXPECT_TRUE(has_note(imported->notes, "multiplexed"));
  EXPECT_TRUE(has_note(imported->notes, "user-only"));
}

TEST(PerfStat, AnEventThatWasNotCountedLeavesTheFigureUnknown) {
  const Region region = region_of(
      "1,msec,task-clock,1,100.00,,\n5,,fp_arith_inst_retired.scalar_double,1,100,,\n"
      "<not counted>,,fp_arith_inst_retired.128b_packed_double,0,100,,\n"
      "5,,fp_arith_inst_retired.256b_packed_double,1,100,,\n");
  EXPECT_FALSE(region.flops);
  EXPECT_TRUE(region.cpu_seconds.self);
}

TEST(PerfStat, MemoryControllersAddUp) {
  const auto imported =
      import_text({"2.5,MiB,uncore_imc_0/cas_count_read/,1,100,,\n1.5,MiB,uncore_imc_1/"
                   "cas_count_read/,1,100,,\n"
                   "1,MiB,uncore_imc_0/cas_count_write/,1,100,,\n",
                   "f.txt"});
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->regions[0].traffic.at("DRAM"), (Traffic{4U << 20U, 1U << 20U}));
  EXPECT_TRUE(has_note(imported->notes, "whole-sockets"));
}

TEST(PerfStat, BrokenFilesGiveFileLineAndReason) {
  EXPECT_THAT(refusal("1,msec,task-clock,1,100,,\noops\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(refusal("1,lightyear,task-clock,1,100,,\n"),
              AllOf(HasSubstr("f.txt:1:"), HasSubstr("lightyear")));
  EXPECT_THAT(refusal("0.100,1.5,msec,task-clock,1,100,,\n", "perf-stat"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(refusal("CPU0,1.5,msec,task-clock,1,100,,\n", "perf-stat"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(refusal("{\"counter-value\" : \"1\", \"event\" : \"task-clock\"}\n{\"counter-value\" "
                      ": \"x\", \"event\" : \"task-clock\"}"),
              HasSubstr("f.txt:2"));
  EXPECT_THAT(
      refusal("{\"interval\" : 0.1, \"counter-value\" : \"1\", \"event\" : \"task-clock\"}"),
      HasSubstr("interval"));
  EXPECT_THAT(refusal("<not counted>,,cycles,0,100,,\n"), HasSubstr("no figure"));
}

}  // namespace
}  // namespace ridge::imports
