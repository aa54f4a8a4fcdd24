// Ranks that took turns on too few CPUs: what was found stays, what it would gain is not known.
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/predict.hpp"

namespace ridge::predict {
namespace {

Profile of_ranks(bool in_turns) {
  testing::Case made;
  made.loop().ranks = RegionRanks{RankSpread{4, 10.0, 0, 10.0, 40.0, 3, 17.5, {}},
                                  std::nullopt,
                                  std::nullopt,
                                  std::nullopt,
                                  {}};
  made.profile.parallel.emplace().ranks = 4;
  made.profile.parallel->measured = 4;
  made.profile.parallel->oversubscribed = in_turns;
  return made.profile;
}

unsigned gains(const Prediction& prediction) {
  unsigned found = 0;
  for (const RegionPrediction& region : prediction.regions) {
    found += region.gain ? 1 : 0;
    for (const Finding& finding : region.findings) {
      found += finding.gain || finding.gain_program ? 1 : 0;
    }
  }
  for (const NextStep& step : prediction.next_steps) {
    found += step.gain_program ? 1 : 0;
  }
  return found;
}

TEST(RanksInTurns, HaveNoGains) {
  EXPECT_GT(gains(predict(of_ranks(false), nullptr)), 0U);
  EXPECT_EQ(gains(predict(of_ranks(true), nullptr)), 0U);
}

}  // namespace
}  // namespace ridge::predict
