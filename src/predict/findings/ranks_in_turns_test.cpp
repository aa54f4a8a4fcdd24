// Ranks that took turns on too few CPUs: what was found stays, what it would gain is not known.
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/predict.hpp"

namespace ridge::predict {
namespace {

testing::Case of_ranks(bool in_turns) {
  testing::Case made;
  made.samples(1000);
  made.loop().flops.emplace().add(Precision::fp64, OperationKind::add, 64, 1'000'000'000);
  made.loop().ranks = RegionRanks{RankSpread{4, 10.0, 0, 10.0, 40.0, 3, 17.5, {}},
                                  std::nullopt,
                                  std::nullopt,
                                  std::nullopt,
                                  {}};
  made.profile.parallel.emplace().ranks = 4;
  made.profile.parallel->measured = 4;
  made.profile.parallel->oversubscribed = in_turns;
  return made;
}

/// Of regions, findings and steps.
unsigned gains(testing::Case of) {
  const Prediction prediction = predict(of.profile, &of.cpu);
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
  EXPECT_GT(gains(of_ranks(false)), 0U);
  EXPECT_EQ(gains(of_ranks(true)), 0U);
}

}  // namespace
}  // namespace ridge::predict
