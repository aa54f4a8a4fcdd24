#include "platform/memory_policy.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

int policy() {
  int mode = -1;
  syscall(SYS_get_mempolicy, &mode, nullptr, 0UL, nullptr, 0UL);
  return mode;
}

TEST(MemoryOnNode, BindsAndGivesTheDefaultBack) {
  const int before = policy();
  {
    const auto bound = MemoryOnNode::set(0);
    if (!bound) {
      EXPECT_EQ(bound.error().code, ErrorCode::unavailable);
      EXPECT_FALSE(bound.error().hint.empty());
      GTEST_SKIP() << bound.error().message;
    }
    EXPECT_EQ(policy(), MPOL_BIND);
  }
  EXPECT_EQ(policy(), before);
}

TEST(MemoryOnNode, ANodeThatIsNotThereIsAnError) {
  for (const unsigned node : {1023U, 5000U}) {
    const auto bound = MemoryOnNode::set(node);
    ASSERT_FALSE(bound);
    EXPECT_EQ(bound.error().code, ErrorCode::unavailable);
  }
}

}  // namespace
}  // namespace ridge::platform
