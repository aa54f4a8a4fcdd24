#include "measure/run/pace.hpp"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

TEST(Pace, AnEvenRunEndsWhenItsRateSays) {
  Pace pace;
  EXPECT_FALSE(pace.done());
  for (int second = 1; second <= 10; ++second) {
    pace.add(Seconds(second), 0.01 * second);
  }
  EXPECT_DOUBLE_EQ(pace.done().value(), 0.1);
  EXPECT_NEAR(pace.remaining().value().value(), 90.0, 1e-9);
}

// All lines at first, one in eight later: what was slow an hour ago says nothing of the rest.
TEST(Pace, TheLaterHalfCounts) {
  Pace pace;
  pace.add(Seconds(10.0), 0.1);
  for (int second = 11; second <= 20; ++second) {
    pace.add(Seconds(second), 0.1 + 0.05 * (second - 10));
  }
  EXPECT_NEAR(pace.remaining().value().value(), 8.0, 1e-9);
}

TEST(Pace, CountsThatCameAllAtOnceSayNothing) {
  Pace pace;
  pace.add(Seconds(1.0), 0.0);
  EXPECT_FALSE(pace.done()) << "not one count yet";
  pace.add(Seconds(2.0), 0.6);
  EXPECT_EQ(pace.done(), 0.6);
  pace.add(Seconds(5.0), 0.6);
  EXPECT_FALSE(pace.remaining()) << "nothing was done in the later half";
  pace.add(Seconds(6.0), 1.0);
  EXPECT_FALSE(pace.done()) << "all counts are there, yet it runs";
  EXPECT_FALSE(pace.remaining());
}

TEST(Pace, NeverFalls) {
  Pace pace;
  pace.add(Seconds(1.0), 0.5);
  pace.add(Seconds(2.0), 0.4);
  EXPECT_EQ(pace.done(), 0.5);
}

TEST(Pace, LongRunsKeepTheirPace) {
  Pace pace;
  constexpr int kLooks = 10'000;
  for (int look = 1; look <= kLooks; ++look) {
    pace.add(Seconds(look), 0.5 * look / kLooks);
  }
  EXPECT_NEAR(pace.remaining().value().value(), kLooks, 1e-6);
}

}  // namespace
}  // namespace ridge::measure
