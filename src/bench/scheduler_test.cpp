#include "bench/scheduler.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

constexpr Claim kShort{Seconds{0.032}, Seconds{0.0004}};
constexpr Claim kLong{Seconds{0.288}, Seconds{0.009}};

TEST(Scheduler, TheFirstPassVisitsAllInTheirOrder) {
  Scheduler scheduler({kShort, kLong, kLong, kShort}, 64);
  const auto visits = scheduler.next_pass();
  ASSERT_EQ(visits.size(), 4U);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    EXPECT_EQ(visits[i].index, i);
    EXPECT_GT(visits[i].time.value(), 0.0);
  }
}

TEST(Scheduler, EachHasHadItsBudgetAfterThePassesInVisitsThatAreNeverTooShort) {
  const std::vector<Claim> claims{kShort, kLong, kShort, kLong};
  constexpr unsigned kPasses = 64;
  Scheduler scheduler(claims, kPasses);
  std::vector<double> seconds(claims.size());
  for (unsigned pass = 0; pass <= kPasses; ++pass) {
    for (const auto& visit : scheduler.next_pass()) {
      EXPECT_GE(visit.time.value(), claims[visit.index].visit_time.value() * 0.999);
      seconds[visit.index] += visit.time.value();
    }
  }
  for (std::size_t i = 0; i < claims.size(); ++i) {
    EXPECT_NEAR(seconds[i] / claims[i].budget.value(), 1.0, 0.1);
  }
  EXPECT_EQ(scheduler.passes_made(), kPasses + 1);
}

TEST(Scheduler, RareVisitsDoNotAllComeInTheSamePass) {
  Scheduler scheduler(std::vector<Claim>(16, kLong), 64);
  (void)scheduler.next_pass();
  std::size_t most = 0;
  for (int pass = 0; pass < 40; ++pass) {
    most = std::max(most, scheduler.next_pass().size());
  }
  EXPECT_LE(most, 10U);
}

TEST(Scheduler, SettledCeilingsAreLeftOutAndTheOthersGoOn) {
  Scheduler scheduler({kShort, kLong, kShort}, 64);
  (void)scheduler.next_pass();
  scheduler.settle(0);
  scheduler.settle(2);
  EXPECT_TRUE(scheduler.is_settled(0));
  EXPECT_FALSE(scheduler.is_settled(1));
  EXPECT_EQ(scheduler.settled(), 2U);
  for (int pass = 0; pass < 20; ++pass) {
    const auto visits = scheduler.next_pass();
    ASSERT_EQ(visits.size(), 1U);
    EXPECT_EQ(visits.front().index, 1U);
  }
  scheduler.settle(1);
  EXPECT_TRUE(scheduler.next_pass().empty());
}

TEST(Scheduler, WithoutBudgetOrClaimsItStillEnds) {
  EXPECT_TRUE(Scheduler({}, 0).next_pass().empty());
  Scheduler poor({{Seconds{0.0}, Seconds{0.001}}}, 0);
  EXPECT_EQ(poor.next_pass().size(), 1U);
  EXPECT_EQ(poor.next_pass().size(), 1U);
}

}  // namespace
}  // namespace ridge::bench
