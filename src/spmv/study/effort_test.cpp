#include "spmv/study/effort.hpp"

#include <gtest/gtest.h>

namespace ridge::spmv {
namespace {

constexpr Bytes kLastLevel{32.0 * (1 << 20)};
constexpr Seconds kFull{60};
constexpr Bytes kThreeByThree{9 * 12 + 4 * 4};

/// How long take_turns() lasts by a clock of the test's own, on which each sample takes `slowness`
/// times what it should. Samples scatter so much that nothing can be ranked.
Seconds duration(const Effort& effort, std::size_t formats, double slowness) {
  double now = 0;
  double wave = 1;
  const auto samples = take_turns(formats, rules_of(effort, effort.budget),
                                  {.sample =
                                       [&](std::size_t) {
                                         now +=
                                             slowness * (effort.sample + 2 * effort.read).value();
                                         wave = wave > 1e3 ? 1 : wave * 3;
                                         return TurnTaking::Sample{1e-6 * wave, 1e9};
                                       },
                                   .elapsed = [&] { return Seconds(now); }});
  EXPECT_GE(samples.front().seconds.size(), 9U);
  return Seconds(now);
}

TEST(Effort, OfATinyMatrixEndsSoonOnABusyMachineToo) {
  const Effort effort = effort_of(kThreeByThree, kLastLevel, kFull);
  EXPECT_FALSE(effort.on_several_threads);
  EXPECT_LE(duration(effort, 9, 1).value(), 0.1);
  EXPECT_LE(duration(effort, 9, 10).value(), 1);
}

TEST(Effort, OfALargeMatrixIsAllThatThereIs) {
  for (const Bytes size : {kLastLevel, 10 * kLastLevel}) {
    const Effort effort = effort_of(size, kLastLevel, kFull);
    EXPECT_EQ(effort.budget, kFull);
    EXPECT_TRUE(effort.on_several_threads);
    EXPECT_TRUE(effort.again_when_noisy);
    EXPECT_EQ(effort.most_rounds, 31);
  }
  EXPECT_GT(duration(effort_of(kLastLevel, kLastLevel, kFull), 9, 100), kFull);
}

TEST(Effort, GrowsInProportionBetween) {
  const Bytes middle = Bytes((65'536 + kLastLevel.value()) / 2);
  EXPECT_DOUBLE_EQ(effort_of(middle, kLastLevel, kFull).budget.value(), 30.5);
  Seconds before{0};
  for (double size = 1; size < 1e9; size *= 2) {
    const Seconds now = effort_of(Bytes(size), kLastLevel, kFull).budget;
    EXPECT_GE(now, before) << size;
    EXPECT_LE(now, kFull) << size;
    before = now;
  }
}

TEST(Effort, IsNeverMoreThanWasGiven) {
  EXPECT_EQ(effort_of(kThreeByThree, kLastLevel, Seconds(0.01)).budget, Seconds(0.01));
  EXPECT_EQ(effort_of(Bytes(1e6), kLastLevel, Seconds(0.01)).budget, Seconds(0.01));
  EXPECT_EQ(effort_of(Bytes(1e6), Bytes(0), kFull).budget, kFull);  // no cache is known
}

}  // namespace
}  // namespace ridge::spmv
