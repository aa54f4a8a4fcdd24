#include "core/quantity/saturating.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Saturating, ResultsThatFitAreTheOrdinaryOnes) {
  EXPECT_EQ(saturating_add(2, 3), 5U);
  EXPECT_EQ(saturating_multiply(2, 3), 6U);
  EXPECT_EQ(saturating_subtract(5, 3), 2U);
  EXPECT_EQ(saturating_add(kMost - 1, 1), kMost);
}

TEST(Saturating, OthersAreTheNearestNumber) {
  EXPECT_EQ(saturating_add(kMost, 1), kMost);
  EXPECT_EQ(saturating_multiply(kMost / 2, 3), kMost);
  EXPECT_EQ(saturating_subtract(3, 5), 0U);
}

}  // namespace
}  // namespace ridge
