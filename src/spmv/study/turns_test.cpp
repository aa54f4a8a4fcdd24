#include "spmv/study/turns.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/quantity/median_interval.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

/// A machine whose time is made: each run takes what it would alone, times what others do to it.
struct MadeMachine {
  std::vector<double> alone;  ///< [s] of each contender
  std::function<double(double now)> slowed = [](double) { return 1.0; };
  double now = 0;
  std::vector<std::size_t> order;
  std::vector<std::string> told;

  TurnTaking taking() {
    return {.sample =
                [this](std::size_t who) {
                  order.push_back(who);
                  const double seconds = alone[who] * slowed(now);
                  now += seconds;
                  return TurnTaking::Sample{seconds, 20e9};
                },
            .elapsed = [this] { return Seconds(now); },
            .progress = [this](const std::string& step) { told.push_back(step); }};
  }
};

TurnRules rules(double budget, double more) {
  return {.budget = Seconds(budget), .more = Seconds(more)};
}

TEST(Turns, EndWithTheBudgetOrTheMostRounds) {
  MadeMachine machine{.alone = {1, 2}};
  EXPECT_EQ(take_turns(2, rules(60, 60), machine.taking())[0].seconds.size(), 20U);
  EXPECT_EQ(take_turns(2, rules(0, 60), machine.taking())[1].seconds.size(), 9U);
  EXPECT_EQ(take_turns(2, rules(1e6, 60), machine.taking())[1].seconds.size(), 31U);
  EXPECT_TRUE(machine.told.empty());
}

TEST(Turns, EverySecondRoundGoesBackwards) {
  MadeMachine machine{.alone = {1, 1, 1}};
  static_cast<void>(take_turns(3, rules(0, 0), machine.taking()));
  const std::vector<std::size_t> begin(machine.order.begin(), machine.order.begin() + 6);
  EXPECT_THAT(begin, testing::ElementsAre(0, 1, 2, 2, 1, 0));
}

// The machine gets slower all the time, by as much in a round as they differ: forwards the second
// one would always look 10 % slower than it is.
TEST(Turns, ASteadyDriftCancelsOut) {
  MadeMachine machine{.alone = {1.0, 1.0}};
  machine.slowed = [&](double) { return std::pow(1.1, static_cast<double>(machine.order.size())); };
  const auto samples = take_turns(2, rules(0, 0), machine.taking());
  const auto ratio = paired_ratio(samples[0].seconds, samples[1].seconds);
  EXPECT_EQ(standing_of(*ratio), Standing::no_difference);
  EXPECT_LT(ratio->low, 1);
  EXPECT_GT(ratio->high, 1);
}

/// Two products on a machine that others use for 150 s.
std::vector<Samples> on_a_busy_machine(MadeMachine& machine) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> others(0.0, std::log(10.0));
  machine.slowed = [&](double now) { return now < 150 ? std::exp(others(random)) : 1.0; };
  return take_turns(2, rules(60, 1000), machine.taking());
}

TEST(Turns, ABusyMachineIsMeasuredAgainUntilItIsQuiet) {
  MadeMachine machine{.alone = {1.0, 0.8}};
  const auto samples = on_a_busy_machine(machine);
  EXPECT_EQ(too_noisy_to_rank(samples), 0U);
  EXPECT_EQ(standing_of(*paired_ratio(samples[0].seconds, samples[1].seconds)), Standing::faster);
  ASSERT_FALSE(machine.told.empty());
  EXPECT_THAT(machine.told.front(),
              testing::AllOf(testing::HasSubstr("busy"), testing::HasSubstr("1 of 1"),
                             testing::HasSubstr("0 of at most 1000 s")));
}

TEST(Turns, TheLimitHoldsHoweverBusyTheMachineIs) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> others(0.0, std::log(1000.0));
  MadeMachine machine{.alone = {1.0, 1.0}};
  machine.slowed = [&](double) { return std::exp(others(random)); };
  const auto by_time = take_turns(2, rules(0, 0), machine.taking());
  EXPECT_EQ(by_time[0].seconds.size(), 9U);
  EXPECT_EQ(too_noisy_to_rank(by_time), 1U);
  machine.now = 0;
  const auto by_rounds = take_turns(2, rules(1e9, 1e9), machine.taking());
  EXPECT_LE(by_rounds[0].seconds.size(), 124U);
  EXPECT_EQ(by_rounds[0].seconds.size(), by_rounds[1].seconds.size());
}

TEST(Turns, AFactorThatIsTooUncertainIsMeasuredAgain) {
  const auto of = [](double slow) {
    std::vector<Samples> samples(2);
    for (int round = 0; round < 9; ++round) {
      samples[0].seconds.push_back(1.5 * (round % 3 == 0 ? slow : 1.0));
      samples[1].seconds.push_back(1.0);
    }
    return samples;
  };
  EXPECT_EQ(too_noisy_to_rank(of(1.2)), 0U);
  EXPECT_EQ(too_noisy_to_rank(of(3)), 1U) << "faster, by 1.5 to 4.5";
  EXPECT_EQ(too_noisy_to_rank({of(3)[1], of(3)[0]}), 0U) << "slower: by how much is no matter";
}

TEST(Turns, OneAloneHasNobodyToBeRankedAgainst) {
  MadeMachine machine{.alone = {1.0}};
  EXPECT_EQ(take_turns(1, rules(0, 60), machine.taking())[0].seconds.size(), 9U);
  EXPECT_TRUE(take_turns(0, rules(0, 60), machine.taking()).empty());
}

}  // namespace

void turns_sentences(tests::Sentences& sentences) {
  MadeMachine machine{.alone = {1.0, 0.8}};
  on_a_busy_machine(machine);
  sentences.add("turns: a busy machine", machine.told.front());
}

}  // namespace ridge::spmv
