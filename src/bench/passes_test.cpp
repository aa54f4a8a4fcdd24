#include "bench/passes.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A machine that is no machine: says for each kernel and visit whether its threads ran at once.
class PassesTest : public testing::Test {
 protected:
  static PlannedKernel kernel(const char* id, unsigned threads) {
    PlannedKernel planned;
    planned.id = id;
    planned.kernel = find_kernel(CeilingKind::compute, "add");
    planned.threads = threads;
    planned.visit_time = Seconds{1e-3};
    planned.budget = Seconds{1e-1};
    planned.tolerance = 0.01;
    return planned;
  }

  Passes::TakeTurns take() {
    return [this](const std::vector<Turn>& turns, const std::function<bool()>& stop) {
      std::vector<Measured> all;
      for (const Turn& turn : turns) {
        if (stop()) {
          break;
        }
        ++visits_[turn.planned->id];
        longest_ = std::max(longest_, turn.budget.value());
        const bool apart =
            apart_.contains(turn.planned->id) && visits_[turn.planned->id] < first_visit_together_;
        all.push_back(apart ? Measured{.thrown_away = 4, .threads_apart = true}
                            : Measured{.rates = std::vector<double>(4, 7.0),
                                       .clocks = std::vector<double>(4, 2.0),
                                       .burst_cycles = std::vector<double>(4, 5000.0)});
      }
      return Result<std::vector<Measured>>(std::move(all));
    };
  }

  Passes passes_{{kernel("one", 1), kernel("two", 2), kernel("other two", 2)}, {"L1"}, 64};
  std::set<std::string> apart_;
  int first_visit_together_ = 1'000'000;
  std::map<std::string, int> visits_;
  double longest_ = 0.0;
};

TEST_F(PassesTest, StopWhenAllIsKnownWellEnough) {
  ASSERT_TRUE(passes_.run(take(), {}));
  EXPECT_EQ(passes_.settled(), 3U);
  EXPECT_THAT(passes_.apart(), IsEmpty());
  EXPECT_EQ(passes_.sorted(1).kept.rates.front(), 7.0);
}

TEST_F(PassesTest, ThreadsThatNeverRanAtOnceAreNeverSettledAndHaveNoSamples) {
  apart_ = {"two", "other two"};
  int left = 2000;
  ASSERT_TRUE(passes_.run(take(), {.out_of_time = [&] { return left-- <= 0; }}));
  EXPECT_EQ(passes_.settled(), 1U);
  EXPECT_THAT(passes_.apart(), ElementsAre(1U, 2U));
  EXPECT_THAT(ceilings_apart(passes_.planned(), passes_, {}), ElementsAre("two", "other two"));
  EXPECT_TRUE(passes_.samples(1).rates.empty());
  EXPECT_GT(passes_.samples(1).thrown_away, 4U);
}

TEST_F(PassesTest, TheyAreVisitedAgainForLongerUntilTheyDid) {
  apart_ = {"two"};
  bool over = false;
  ASSERT_TRUE(passes_.run(take(), {.out_of_time = [&] { return over || (over = true); }}));
  ASSERT_THAT(passes_.apart(), ElementsAre(1U));
  const int before = visits_["two"];
  const int others = visits_["one"] + visits_["other two"];
  longest_ = 0.0;
  first_visit_together_ = before + 3;
  ASSERT_TRUE(passes_.repeat_apart(take(), {}));
  EXPECT_EQ(visits_["two"], before + 3);
  EXPECT_EQ(visits_["one"] + visits_["other two"], others);
  EXPECT_GT(longest_, 2e-3);
  EXPECT_THAT(passes_.apart(), IsEmpty());
  EXPECT_EQ(passes_.samples(1).rates.size(), 4U);
}

TEST_F(PassesTest, OnlyAsLongAsThereIsTime) {
  apart_ = {"two"};
  bool over = false;
  ASSERT_TRUE(passes_.run(take(), {.out_of_time = [&] { return over || (over = true); }}));
  const int before = visits_["two"];
  int left = 10;
  ASSERT_TRUE(passes_.repeat_apart(take(), {.out_of_time = [&] { return left-- <= 0; }}));
  EXPECT_GT(visits_["two"], before);
  EXPECT_LE(visits_["two"], before + 10);
  EXPECT_THAT(passes_.apart(), ElementsAre(1U));
  ASSERT_TRUE(passes_.repeat_apart(take(), {.stop = [] { return true; }}));
  EXPECT_THAT(passes_.apart(), ElementsAre(1U));
}

}  // namespace
}  // namespace ridge::bench
