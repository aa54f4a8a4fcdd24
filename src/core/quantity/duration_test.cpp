#include "core/quantity/duration.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(DurationWords, TheUnitFollowsTheSize) {
  EXPECT_EQ(duration_words(Seconds(0.0)), "0.0 s");
  EXPECT_EQ(duration_words(Seconds(0.44)), "0.4 s");
  EXPECT_EQ(duration_words(Seconds(9.4)), "9 s");
  EXPECT_EQ(duration_words(Seconds(119.0)), "119 s");
  EXPECT_EQ(duration_words(Seconds(180.0)), "3 min");
  EXPECT_EQ(duration_words(Seconds(9000.0)), "2.5 h");
}

TEST(DurationWords, ARangeSaysItsUnitOnce) {
  EXPECT_EQ(duration_words(Seconds(20.0), Seconds(60.0)), "20 to 60 s");
  EXPECT_EQ(duration_words(Seconds(40.0), Seconds(180.0)), "40 s to 3 min");
  EXPECT_EQ(duration_words(Seconds(8.9), Seconds(9.1)), "9 s");
}

}  // namespace
}  // namespace ridge
