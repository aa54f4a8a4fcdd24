#include "platform/affinity.hpp"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

TEST(Affinity, AllowedCpusAreAscendingAndNotEmpty) {
  const auto cpus = allowed_cpus();
  ASSERT_FALSE(cpus.empty());
  EXPECT_TRUE(std::is_sorted(cpus.begin(), cpus.end()));
  EXPECT_EQ(std::adjacent_find(cpus.begin(), cpus.end()), cpus.end());
}

TEST(Affinity, PinningLeavesOneCpuToTheThreadAloneThatAsked) {
  const auto before = allowed_cpus();
  std::thread([&] {
    EXPECT_TRUE(pin_current_thread(before.back()).has_value());
    EXPECT_EQ(allowed_cpus(), std::vector<unsigned>{before.back()});
  }).join();
  EXPECT_EQ(allowed_cpus(), before);
}

TEST(Affinity, ABindingMaskDoesNotNarrowTheCpuset) {
  const auto whole = cpuset_cpus();
  const auto allowed = allowed_cpus();
  EXPECT_TRUE(std::includes(whole.begin(), whole.end(), allowed.begin(), allowed.end()));
  std::thread([&] {
    ASSERT_TRUE(pin_current_thread(allowed.back()).has_value());
    EXPECT_EQ(cpuset_cpus(), whole);
    EXPECT_EQ(allowed_cpus(), std::vector<unsigned>{allowed.back()}) << "asking changes nothing";
    {
      const WholeCpuset widened;
      EXPECT_EQ(allowed_cpus(), whole);
    }
    EXPECT_EQ(allowed_cpus(), std::vector<unsigned>{allowed.back()});
  }).join();
  EXPECT_EQ(allowed_cpus(), allowed);
}

TEST(Affinity, ACpuThatDoesNotExistIsAnErrorWithAHint) {
  for (const unsigned cpu : {16383U, 16384U, 4000000000U}) {
    const auto result = pin_current_thread(cpu);
    ASSERT_FALSE(result.has_value()) << cpu;
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    EXPECT_FALSE(result.error().hint.empty());
  }
}

}  // namespace
}  // namespace ridge::platform
