#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Rocprof, CountersOfVersion3) {
  const Imported imported = import_file("rocprof_counters.csv");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.name, "triad(double*, double*, int)");
  EXPECT_EQ(region.device, "Agent 4");
  EXPECT_EQ(region.flops->total(), 64U * 1000 + 128U * 16384);
  EXPECT_EQ(region.traffic.at("DRAM"), (Traffic{900 * 64 + 100 * 32, 400 * 64 + 100 * 32}));
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 24e-6);
  EXPECT_TRUE(has_note(region.notes, "masked-lanes"));
  EXPECT_TRUE(has_note(region.notes, "matrix-operations-unknown"));
}

TEST(Rocprof, DispatchesOfVersion1AddUp) {
  const Imported imported = import_file("rocprof_results.csv");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.entries, 2U);
  EXPECT_EQ(region.device, "gpu0");
  EXPECT_EQ(region.traffic.at("DRAM"), (Traffic{2 * 1024 * 1024, 2 * 512 * 1024}));
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 50e-6);
  EXPECT_FALSE(region.flops);
}

TEST(Rocprof, StatisticsHaveTimesAlone) {
  const Imported imported = import_file("rocprof_stats.csv");
  EXPECT_DOUBLE_EQ(imported.regions.at(0).time_seconds.self->value.value(), 50e-6);
  EXPECT_EQ(imported.regions.at(0).entries, 2U);
}

constexpr std::string_view kHead = "Index,KernelName,FETCH_SIZE,WRITE_SIZE,BeginNs,EndNs\n";

TEST(Rocprof, BrokenFilesGiveFileLineAndReason) {
  const auto of_rows = [](std::string_view rows) {
    return refusal(std::string(kHead) + std::string(rows), "rocprof");
  };
  EXPECT_THAT(of_rows("0,k,1,2\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(of_rows("0,k,x,2,1,3\n"), AllOf(HasSubstr("f.txt:2:"), HasSubstr("FETCH_SIZE")));
  EXPECT_THAT(of_rows("0,k,1,2,9,3\n"), HasSubstr("in order"));
  EXPECT_THAT(of_rows("0,k,1,2,1,3\n0,k,1,2,1,3\n"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("twice")));
  EXPECT_THAT(of_rows("0,k,-1,2,1,3\n"), HasSubstr("cannot be"));
  EXPECT_THAT(refusal("Index,Kernel\n", "rocprof"), HasSubstr("f.txt:1:"));
  constexpr std::string_view kLong = "Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value\n";
  EXPECT_THAT(refusal(std::string(kLong) + "1,k,FETCH_SIZE,1\n1,k,FETCH_SIZE,1\n"),
              HasSubstr("f.txt:3:"));
  EXPECT_THAT(refusal("Name,Calls,TotalDurationNs\nk,1,2\nk,1,2\n"), HasSubstr("twice"));
}

TEST(Rocprof, TimeStampsBeyond2To53KeepTheirDifference) {
  const auto imported = import_text(
      {std::string(kHead) + "0,k,1,1,9223372036854775000,9223372036854775003\n", "f"}, "rocprof");
  ASSERT_TRUE(imported);
  EXPECT_DOUBLE_EQ(imported->regions[0].time_seconds.self->value.value(), 3e-9);
}

}  // namespace
}  // namespace ridge::imports
