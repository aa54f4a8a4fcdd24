#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;

TEST(Nsys, KernelsAloneHaveTimeAndLaunches) {
  const Imported imported = import_file("nsys.csv");
  ASSERT_EQ(imported.regions.size(), 2U) << "calls of the API are none";
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.name, "void stencil<double>(double *, const double *, int)");
  EXPECT_EQ(region.entries, 4U);
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 1.8e-3);
  EXPECT_FALSE(region.flops);
  EXPECT_TRUE(region.traffic.empty());
}

constexpr std::string_view kHead = "Time (%),Total Time (ns),Instances,Name\n";

TEST(Nsys, BrokenFilesGiveFileLineAndReason) {
  EXPECT_THAT(refusal(std::string(kHead) + "1,2,3\n"), HasSubstr("f.txt:2:"));
  EXPECT_THAT(refusal(std::string(kHead) + "1,-2,3,k\n"), HasSubstr("no amount"));
  EXPECT_THAT(refusal(std::string(kHead) + "1,2,3,k\n1,2,3,k\n"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(refusal(std::string(kHead) + "1,2,3,\"k\n"), HasSubstr("quote"));
  EXPECT_THAT(refusal(kHead), HasSubstr("no table of kernels"));
}

}  // namespace
}  // namespace ridge::imports
