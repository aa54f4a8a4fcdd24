#include "measure/instrumented/fault_shares.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

constexpr double kVisit = 0.02;
constexpr double kHertz = 100.0;
constexpr std::uint64_t kOften = 1'000'000;

/// 1 is a function, 2 and 3 are loops in it, 4 is another function: all entered once for a second.
class Shares : public ::testing::Test {
 protected:
  Shares() {
    table_.of_raw = {kNoRegion, 0, 1, 2, 3};
    table_.regions.resize(4);
    table_.regions[1].parent = 0;
    table_.regions[2].parent = 0;
    times_.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      table_.regions[i].counts.entries = 1;
      times_[i].wall_inclusive = 1.0;
      times_[i].threads_inclusive = 1;
    }
    function_ = stacks_.push(0, 1);
    first_ = stacks_.push(function_, 2);
    second_ = stacks_.push(function_, 3);
    callee_ = stacks_.push(second_, 4);
  }

  std::vector<std::optional<PageFaults>> resolve() const {
    return shares_.resolve(stacks_, table_, times_, kVisit, kHertz);
  }

  StackTable stacks_;
  RegionTable table_;
  std::vector<RegionTimes> times_;
  FaultShares shares_;
  std::uint32_t function_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
  std::uint32_t callee_ = 0;
};

TEST_F(Shares, BetweenSamplesOfOneRegionAllIsCertain) {
  shares_.add({first_, first_, first_}, {90, 10, 5});
  const auto faults = resolve();
  EXPECT_EQ(faults[1], (PageFaults{100, 100, 100, 10, Seconds(0.05)}));
  EXPECT_EQ(faults[2], (PageFaults{0, 0, 0, 0, Seconds(0.0)}));
}

TEST_F(Shares, BetweenSamplesOfTwoRegionsEachMayHaveAll) {
  shares_.add({first_, first_}, {7, 0, 0});
  shares_.add({second_, first_, second_, second_}, {40, 0, 8});
  const auto faults = resolve();
  EXPECT_EQ(faults[1], (PageFaults{17, 7, 47, 0, Seconds(0.02)}));
  EXPECT_EQ(faults[2], (PageFaults{30, 0, 40, 0, Seconds(0.06)}));
}

TEST_F(Shares, VisitsTooShortToTellApartBelongToWhatIsAround) {
  table_.regions[1].counts.entries = kOften;
  table_.regions[2].counts.entries = kOften;
  table_.regions[3].counts.entries = kOften;
  shares_.add({first_, second_, callee_}, {30, 0, 0});
  const auto faults = resolve();
  EXPECT_EQ(faults[0], (PageFaults{30, 30, 30, 0, Seconds(0.0)}));
  for (const std::size_t i : {1U, 2U, 3U}) {
    EXPECT_FALSE(faults[i]) << i;
  }
}

TEST_F(Shares, ACalleeTooShortBelongsToItsCaller) {
  table_.regions[3].counts.entries = kOften;
  shares_.add({callee_, callee_}, {30, 0, 0});
  EXPECT_EQ(resolve()[2], (PageFaults{30, 30, 30, 0, Seconds(0.0)}));
}

TEST_F(Shares, EachOfSeveralThreadsVisits) {
  times_[1].wall_inclusive = 2 * kVisit;
  times_[1].threads_inclusive = 4;
  table_.regions[1].counts.entries = 8;
  EXPECT_TRUE(resolve()[1]);
  table_.regions[1].counts.entries = 9;
  EXPECT_FALSE(resolve()[1]);
}

TEST_F(Shares, WhatIsOutsideOfAllRegionsIsNobodys) {
  shares_.add({0, 0, 0}, {100, 0, 0});
  shares_.add({0, first_}, {10, 0, 0});
  shares_.add({stacks_.push(0, 99)}, {1000, 0, 0});
  const auto faults = resolve();
  EXPECT_EQ(faults[1], (PageFaults{5, 0, 10, 0, Seconds(0.0)}));
  EXPECT_EQ(faults[0], (PageFaults{0, 0, 0, 0, Seconds(0.0)}));
}

TEST_F(Shares, NeverEnteredIsUnknown) {
  table_.regions[1].counts.entries = 0;
  EXPECT_FALSE(resolve()[1]);
}

TEST_F(Shares, OrderedAndNeverMoreThanThereAre) {
  std::mt19937 random(3);
  const std::vector<std::uint32_t> nodes{0, function_, first_, second_, callee_};
  std::uint64_t all = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint32_t> seen(1 + random() % 6);
    for (std::uint32_t& node : seen) {
      node = nodes[random() % nodes.size()];
    }
    const FaultCounts counts{random() % 100, random() % 5, random() % 3};
    all += counts.minor + counts.major;
    shares_.add(seen, counts);
  }
  std::uint64_t sum = 0;
  for (const auto& faults : resolve()) {
    ASSERT_TRUE(faults);
    EXPECT_LE(faults->low, faults->value);
    EXPECT_LE(faults->value, faults->high);
    EXPECT_LE(faults->high, all);
    EXPECT_LE(faults->major, faults->value);
    sum += faults->value;
  }
  EXPECT_LE(sum, all + 2);  // each of four is rounded
  EXPECT_GT(sum, all / 2);
}

TEST_F(Shares, TheFirstReadingOfAThreadSetsTheZero) {
  ThreadFaults thread;
  thread.sample(first_);
  thread.reading({1000, 3, 7}, shares_);
  EXPECT_EQ(resolve()[1]->value, 0U);
  thread.sample(first_);
  thread.sample(first_);
  thread.reading({1010, 3, 9}, shares_);
  EXPECT_EQ(resolve()[1], (PageFaults{10, 10, 1013, 0, Seconds(0.02)}));
  EXPECT_EQ(resolve()[2], (PageFaults{0, 0, 1003, 0, Seconds(0.0)})) << "it may have been there";
}

TEST_F(Shares, AVisitMayHideBetweenTwoSamples) {
  ThreadFaults thread;
  thread.sample(first_, 1e-3);
  thread.reading({0, 0, 0}, shares_);
  thread.sample(first_, 1e-3);
  thread.sample(first_, 1.5);  // nobody looked for longer than a visit lasts
  thread.reading({40, 0, 0}, shares_);
  thread.sample(first_, 1e-3);
  thread.reading({43, 0, 0}, shares_);
  const auto faults = resolve();
  EXPECT_EQ(faults[1], (PageFaults{43, 3, 43, 0, Seconds(0.0)}));
  EXPECT_EQ(faults[2], (PageFaults{0, 0, 40, 0, Seconds(0.0)}));
}

TEST_F(Shares, AReadingStartsFromTheSampleBeforeIt) {
  ThreadFaults thread;
  thread.sample(first_);
  thread.reading({0, 0, 0}, shares_);
  thread.sample(second_);
  thread.reading({12, 0, 0}, shares_);
  const auto faults = resolve();
  EXPECT_EQ(faults[1]->high, 12U);
  EXPECT_EQ(faults[1]->low, 0U);
  EXPECT_EQ(faults[2]->value, 6U);
}

TEST_F(Shares, CountsThatFallAreNoFaults) {
  ThreadFaults thread;
  thread.sample(first_);
  thread.reading({50, 50, 50}, shares_);
  thread.sample(first_);
  thread.reading({10, 60, 10}, shares_);
  EXPECT_EQ(resolve()[1], (PageFaults{10, 10, 110, 10, Seconds(0.0)}));
}

}  // namespace
}  // namespace ridge::measure
