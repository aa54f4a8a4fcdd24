#include "bench/quiet_wait.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Each look takes a second and finds what the list says; its last entry from then on.
class QuietWaitTest : public testing::Test {
 protected:
  QuietHooks hooks(std::vector<std::optional<double>> looks) {
    return {.busy_cpus =
                [this, looks = std::move(looks)] {
                  const auto& look = looks[std::min(seen_, looks.size() - 1)];
                  ++seen_;
                  return look;
                },
            .elapsed = [this] { return Seconds{static_cast<double>(seen_)}; },
            .stop = [this] { return stop_; },
            .on_wait = [this](double, Seconds left) { left_.push_back(left.value()); }};
  }

  std::size_t seen_ = 0;
  bool stop_ = false;
  std::vector<double> left_;
};

TEST_F(QuietWaitTest, AQuietMachineIsLookedAtOnce) {
  const Waited waited = wait_for_quiet(Seconds{10.0}, hooks({0.1}));
  EXPECT_TRUE(waited.quiet);
  EXPECT_EQ(seen_, 1U);
  EXPECT_THAT(left_, IsEmpty());
}

TEST_F(QuietWaitTest, ABusyOneIsWaitedForWithProgress) {
  const Waited waited = wait_for_quiet(Seconds{10.0}, hooks({2.0, 1.5, 0.0}));
  EXPECT_TRUE(waited.quiet);
  EXPECT_DOUBLE_EQ(waited.time.value(), 3.0);
  EXPECT_THAT(left_, ElementsAre(9.0, 8.0));
}

TEST_F(QuietWaitTest, ButNotForEver) {
  const Waited waited = wait_for_quiet(Seconds{4.0}, hooks({1.9}));
  EXPECT_FALSE(waited.quiet);
  EXPECT_DOUBLE_EQ(waited.busy_cpus, 1.9);
  EXPECT_EQ(seen_, 4U);
}

TEST_F(QuietWaitTest, NorAfterAStopNorWhereNothingIsKnown) {
  EXPECT_TRUE(wait_for_quiet(Seconds{4.0}, hooks({std::nullopt})).quiet);
  stop_ = true;
  EXPECT_FALSE(wait_for_quiet(Seconds{4.0}, hooks({1.0})).quiet);
  EXPECT_EQ(seen_, 2U);
}

TEST_F(QuietWaitTest, LongerMeasurementsWaitLonger) {
  EXPECT_LT(quiet_limit(Effort::quick), quiet_limit(Effort::standard));
  EXPECT_LT(quiet_limit(Effort::standard), quiet_limit(Effort::full));
}

}  // namespace
}  // namespace ridge::bench
