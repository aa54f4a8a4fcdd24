#include "platform/quota.hpp"

#include <random>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

namespace fs = std::filesystem;

TEST(Quota, ParsesCpuMax) {
  EXPECT_DOUBLE_EQ(parse_cpu_max("150000 100000\n").value(), 1.5);
  EXPECT_DOUBLE_EQ(parse_cpu_max("50000 100000").value(), 0.5);
  EXPECT_FALSE(parse_cpu_max("max 100000\n"));
  for (const char* text :
       {"", " ", "100000", "-1 100000", "nan 1", "inf 1", "1 0", "1 2 3", "a b"}) {
    EXPECT_FALSE(parse_cpu_max(text)) << text;
  }
}

TEST(Quota, NoTextYieldsANumberThatIsNotPositive) {
  std::mt19937 random(7);
  const std::string alphabet = "0123456789max .-+e\n";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 14, ' ');
    for (char& c : text) {
      c = alphabet[random() % alphabet.size()];
    }
    const auto quota = parse_cpu_max(text);
    ASSERT_TRUE(!quota || *quota > 0.0) << text;
  }
}

class QuotaFiles : public testing::Test {
 protected:
  void write(const std::string& relative, const std::string& text) const {
    folder_.write(relative, text);
  }
  [[nodiscard]] std::optional<double> quota() const { return cpu_quota(root_, root_ / "self"); }

  const tests::TemporaryFolder folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(QuotaFiles, TheTightestAncestorDecides) {
  write("self", "0::/slice/job\n");
  write("slice/cpu.max", "200000 100000\n");
  write("slice/job/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(quota().value(), 2.0);
  write("slice/job/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(quota().value(), 1.5);
  write("slice/job/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(quota().value(), 2.0);
}

TEST_F(QuotaFiles, VersionOneIsReadToo) {
  write("self", "5:memory:/job\n4:cpu,cpuacct:/job\n");
  write("cpu/job/cpu.cfs_quota_us", "300000\n");
  write("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(quota().value(), 3.0);
  write("cpu/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_FALSE(quota());
}

TEST_F(QuotaFiles, MissingOrOddFilesAreNoLimit) {
  EXPECT_FALSE(quota());
  write("self", "garbage\n0:\n::\n");
  EXPECT_FALSE(quota());
}

TEST_F(QuotaFiles, MemoryIsCutByTheTightestGroup) {
  const auto available = [&] {
    return available_memory_bytes(root_, root_ / "self", root_ / "meminfo");
  };
  EXPECT_EQ(available(), 0U);
  write("meminfo", "MemTotal:  4000 kB\nMemAvailable:   1000 kB\nSwapFree: 7 kB\n");
  EXPECT_EQ(available(), 1024000U);
  write("self", "0::/slice/job\n");
  write("slice/memory.max", "500000\n");
  write("slice/job/memory.max", "max\n");
  EXPECT_EQ(available(), 500000U);
  write("self", "3:memory:/job\n");
  write("memory/job/memory.limit_in_bytes", "300000\n");
  EXPECT_EQ(available(), 300000U);
}

TEST(Quota, ThreadsAreCutButNeverToNone) {
  EXPECT_EQ(usable_threads(8, std::nullopt), 8U);
  EXPECT_EQ(usable_threads(8, 2.7), 2U);
  EXPECT_EQ(usable_threads(8, 0.3), 1U);
  EXPECT_EQ(usable_threads(8, 64.0), 8U);
  EXPECT_EQ(usable_threads(0, std::nullopt), 1U);
}

}  // namespace
}  // namespace ridge::platform
