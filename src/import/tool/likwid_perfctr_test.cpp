#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(LikwidPerfctr, MarkersBecomeRegions) {
  const Imported imported = import_file("likwid_perfctr_markers.csv");
  EXPECT_EQ(imported.tool, "LIKWID");
  EXPECT_EQ(imported.machine.name, "Intel(R) Xeon(R) Platinum 8358 CPU @ 2.60GHz");
  EXPECT_FALSE(imported.wall_seconds);
  const Region* triad = find_region(imported, "triad");
  ASSERT_NE(triad, nullptr);
  EXPECT_EQ(triad->kind, RegionKind::marker);
  EXPECT_EQ(triad->threads, 2U);
  EXPECT_EQ(triad->entries, 10U);
  EXPECT_DOUBLE_EQ(triad->time_seconds.self->value.value(), 0.5) << "the slowest thread";
}

TEST(LikwidPerfctr, EventsOfAllThreadsAddUp) {
  const Imported imported = import_file("likwid_perfctr_markers.csv");
  const Region* triad = find_region(imported, "triad");
  ASSERT_NE(triad, nullptr);
  // 300 scalar and 2e6 of eight lanes: the rate of the group is not needed.
  EXPECT_EQ(triad->flops->total(), 300U + 16000000U);
  EXPECT_EQ(triad->flops->total(Precision::fp32), std::nullopt);
  EXPECT_EQ(triad->flops->terms.size(), 2U);
  EXPECT_TRUE(has_note(triad->notes, "kind-unknown"));
}

TEST(LikwidPerfctr, AGigabyteIs1e9Byte) {
  const Imported imported = import_file("likwid_perfctr_markers.csv");
  EXPECT_EQ(find_region(imported, "triad")->traffic.at("DRAM"), (Traffic{320000000, 160000000}));
  const Region* copy = find_region(imported, "copy");
  EXPECT_EQ(copy->traffic.at("DRAM"), (Traffic{1500000000, 0}));
  EXPECT_TRUE(has_note(copy->notes, "direction-unknown"));
  EXPECT_FALSE(copy->flops) << "nobody counted them";
}

TEST(LikwidPerfctr, TheWholeProgramHasTheRateTimesTheRuntime) {
  const Imported imported = import_file("likwid_perfctr_amd.csv");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& program = imported.regions[0];
  EXPECT_EQ(program.kind, RegionKind::program);
  EXPECT_EQ(program.flops->total(), 4000000000U);  // 2000 MFLOP/s for 2 s
  EXPECT_DOUBLE_EQ(imported.wall_seconds->value(), 2.0);
  EXPECT_TRUE(has_note(imported.notes, "precision-unknown"));
}

constexpr std::string_view kHead = "TABLE,Group 1 Raw,G,2\nEvent,Counter,HWThread 0,HWThread 1\n";

TEST(LikwidPerfctr, GroupsStayApart) {
  const auto imported =
      import_text({"TABLE,Group 1 Metric,MEM,2\nMetric,HWThread 0\nRuntime (RDTSC) [s],1\n"
                   "TABLE,Group 2 Metric,FLOPS_DP,2\nMetric,HWThread 0\nRuntime (RDTSC) [s],3\n",
                   "f.txt"});
  ASSERT_TRUE(imported);
  ASSERT_EQ(imported->regions.size(), 2U);
  EXPECT_EQ(imported->regions[0].name, "program (MEM)");
  EXPECT_EQ(imported->regions[1].name, "program (FLOPS_DP)");
  EXPECT_TRUE(has_note(imported->notes, "groups-apart"));
  EXPECT_FALSE(imported->wall_seconds);
}

TEST(LikwidPerfctr, ChannelsAddUpAndWhatCouldNotBeComputedIsUnknown) {
  const auto imported = import_text(
      {"TABLE,Group 1 Metric,MEM,2\nMetric,HWThread 0,HWThread 1\nRuntime (RDTSC) [s],1,1\n"
       "Memory data volume [GBytes],nan,1\n",
       "f.txt"});
  ASSERT_TRUE(imported);
  EXPECT_TRUE(imported->regions[0].traffic.empty());
}

TEST(LikwidPerfctr, BrokenFilesGiveFileLineAndReason) {
  const auto of_row = [](std::string_view row) {
    return refusal(std::string(kHead) + std::string(row), "likwid-perfctr");
  };
  constexpr std::string_view kEvent = "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE";
  EXPECT_THAT(of_row(std::string(kEvent) + ",PMC0,1"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("3 cells")));
  EXPECT_THAT(of_row(std::string(kEvent) + ",PMC0,1,abc"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("abc")));
  EXPECT_THAT(of_row(std::string(kEvent) + ",PMC0,1,2\n" + std::string(kEvent) + ",PMC0,1,2"),
              AllOf(HasSubstr("f.txt:4:"), HasSubstr("twice")));
  EXPECT_THAT(refusal("TABLE,Group 1 Raw,G,2\nEvent,Counter,x\n", "likwid-perfctr"),
              HasSubstr("f.txt:2:"));
  EXPECT_THAT(refusal("TABLE,oops\n", "likwid-perfctr"), HasSubstr("f.txt:1:"));
  EXPECT_THAT(refusal("TABLE,Group 1 Raw,G,2\nRuntime (RDTSC) [s],1\n", "likwid-perfctr"),
              HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_row("FP_ARITH_INST_RETIRED_SCALAR_DOUBLE,PMC0,-5,0\nFP_ARITH_INST_RETIRED_128B_"
                     "PACKED_DOUBLE,P,0,0\n"
                     "FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE,P,0,0\n"),
              HasSubstr("f.txt"));
}

}  // namespace
}  // namespace ridge::imports
