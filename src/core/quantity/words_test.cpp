#include "core/quantity/words.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Words, OneHasNoPlural) {
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(12, "CPU"), "12 CPUs");
}

TEST(Words, SizesOfMemoriesHaveNoExponent) {
  EXPECT_EQ(binary_size(512), "512 B");
  EXPECT_EQ(binary_size(32 * 1024), "32 KiB");
  EXPECT_EQ(binary_size(1.5 * 1024 * 1024), "1.5 MiB");
  EXPECT_EQ(binary_size(19710 * 1024.0), "19.25 MiB");
  EXPECT_EQ(binary_size(1023.96 * 1024), "1024 KiB");
}

}  // namespace
}  // namespace ridge
