#include "platform/conditions.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "platform/affinity.hpp"

namespace ridge::platform {
namespace {

class CpuTimesFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    const auto path = std::filesystem::path(testing::TempDir()) / "stat";
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(CpuTimesFile, SumsTheCpusAskedForAndLeavesGuestTimesOut) {
  const auto stat = write(
      "cpu  99 99 99 99 99 99 99 99 0 0\n"
      "cpu0 10 1 2 100 3 0 1 7 5 5\n"
      "cpu1 20 0 0 100 0 0 0 13 0 0\n"
      "cpu10 1 1 1 1 1 1 1 1 0 0\n"
      "intr 1\n");
  const auto one = cpu_times({1}, stat);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->steal, 13U);
  EXPECT_EQ(one->total, 133U);
  const auto both = cpu_times({0, 1}, stat);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->steal, 20U);
  EXPECT_EQ(both->total, 133U + 124U);
}

TEST_F(CpuTimesFile, IsUnknownWithoutTheFileOrTheCpu) {
  EXPECT_FALSE(cpu_times({0}, "/no/such/file"));
  EXPECT_FALSE(cpu_times({3}, write("cpu0 1 1 1 1 1 1 1 1 0 0\n")));
  EXPECT_FALSE(cpu_times({0}, write("cpu0 1 1 1\n")));  // a kernel of the last century
  EXPECT_FALSE(cpu_times({}, write("cpu0 1 1 1 1 1 1 1 1 0 0\n")));
}

TEST(Conditions, KnowThisMachine) {
  EXPECT_GE(online_cpus(), allowed_cpus().size());
  EXPECT_FALSE(has_sysfs("/no/such/folder"));
}

}  // namespace
}  // namespace ridge::platform
