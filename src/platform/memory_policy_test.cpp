#include "platform/memory_policy.hpp"

#include <cstdlib>
#include <filesystem>
#include <linux/mempolicy.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

int policy() {
  int mode = -1;
  syscall(SYS_get_mempolicy, &mode, nullptr, 0UL, nullptr, 0UL);
  return mode;
}

unsigned count_in(const std::string& has_memory) {
  const tests::TemporaryFolder folder;
  folder.write("has_memory", has_memory);
  return memory_node_count(folder.path());
}

TEST(MemoryNodeCount, IsThatOfTheKernelsList) {
  EXPECT_EQ(count_in("0\n"), 1U);
  EXPECT_EQ(count_in("0-1\n"), 2U);
  EXPECT_EQ(count_in("0-1,4,8-9\n"), 5U);
  EXPECT_EQ(count_in("3"), 1U);
}

TEST(MemoryNodeCount, IsOneWhereTheSystemDoesNotSay) {
  for (const char* text :
       {"", "\n", "many", "0-", "1-0", "0,", "0-1;3", "0-99999999999999999999", "-1"}) {
    EXPECT_EQ(count_in(text), 1U) << text;
  }
  EXPECT_EQ(memory_node_count("/no/such/folder"), 1U);
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
