#include "platform/conditions.hpp"

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "platform/affinity.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

class CpuTimesFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) { return folder_.write("stat", text); }

 private:
  tests::TemporaryFolder folder_;
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
  EXPECT_EQ(one->idle, 100U);
  const auto both = cpu_times({0, 1}, stat);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->steal, 20U);
  EXPECT_EQ(both->total, 133U + 124U);
  EXPECT_EQ(both->idle, 203U);
}

TEST(BusyCpus, IsTheTimeThatIsNotIdleInCpus) {
  const CpuTimes before{.steal = 0, .total = 1000, .idle = 900};
  EXPECT_DOUBLE_EQ(busy_cpus(before, {0, 1100, 1000}, 2).value(), 0.0);
  EXPECT_DOUBLE_EQ(busy_cpus(before, {0, 1100, 950}, 2).value(), 1.0);
  EXPECT_DOUBLE_EQ(busy_cpus(before, {0, 1100, 900}, 2).value(), 2.0);
  EXPECT_FALSE(busy_cpus(before, before, 2)) << "no time passed";
  EXPECT_FALSE(busy_cpus(before, {0, 1100, 800}, 2)) << "the counter ran backwards";
}

TEST_F(CpuTimesFile, IsUnknownWithoutTheFileOrTheCpu) {
  EXPECT_FALSE(cpu_times({0}, "/no/such/file"));
  EXPECT_FALSE(cpu_times({3}, write("cpu0 1 1 1 1 1 1 1 1 0 0\n")));
  EXPECT_FALSE(cpu_times({0}, write("cpu0 1 1 1\n")));  // a kernel of the last century
  EXPECT_FALSE(cpu_times({}, write("cpu0 1 1 1 1 1 1 1 1 0 0\n")));
}

TEST_F(CpuTimesFile, HugePagesAreThoseOfTheMappingAskedFor) {
  const auto smaps = write(
      "1000-3000 rw-p 00000000 00:00 0\n"
      "Size:                  8 kB\n"
      "Rss:                   8 kB\n"
      "AnonHugePages:         8 kB\n"
      "7f0000000000-7f0000800000 rw-p 00000000 00:00 0 [anon]\n"
      "Size:               8192 kB\n"
      "Rss:                8192 kB\n"
      "AnonHugePages:      2048 kB\n"
      "VmFlags: rd wr\n");
  EXPECT_EQ(huge_page_share(0x7f0000400000, smaps), 0.25);
  EXPECT_EQ(huge_page_share(0x1000, smaps), 1.0);
  EXPECT_FALSE(huge_page_share(0x3000, smaps)) << "the end lies outside";
  EXPECT_FALSE(huge_page_share(0x1000, "/no/such/file"));
}

TEST(Conditions, AddressSpaceIsWhatTheLimitLeaves) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit tight{rlim_t{1} << 45U, before.rlim_max};
  if (setrlimit(RLIMIT_AS, &tight) != 0) {
    GTEST_SKIP() << "there is a lower limit already";
  }
  EXPECT_LT(address_space_left(), std::uint64_t{1} << 45U);
  setrlimit(RLIMIT_AS, &before);
}

TEST(Conditions, KnowThisMachine) {
  EXPECT_GE(online_cpus(), allowed_cpus().size());
  EXPECT_FALSE(has_sysfs("/no/such/folder"));
}

}  // namespace
}  // namespace ridge::platform
