// A region whose figures are those of others once more (a marker) has a roof of its own, and
// changes nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/finding_examples.hpp"
#include "predict/findings/predict.hpp"

namespace ridge::predict {
namespace {

using testing::Case;
using ::testing::IsEmpty;
using testing::RuleCase;

/// The same work in the same time as the loop, under a name.
Profile with_marker(const Case& example) {
  Profile profile = example.profile;
  Region marker = profile.regions.at(1);
  marker.id = 99;
  marker.kind = RegionKind::marker;
  marker.overlaps = true;
  marker.parent.reset();
  marker.name = marker.function = "phase";
  profile.regions.push_back(std::move(marker));
  return profile;
}

TEST(Markers, ChangeNothingOfTheRest) {
  for (const RuleCase& rule : testing::rule_cases()) {
    SCOPED_TRACE(rule.code);
    Case example;
    rule.fires(example);
    const Prediction without = predict(example.profile, &example.cpu);
    Prediction with = predict(with_marker(example), &example.cpu);
    ASSERT_EQ(with.regions.size(), without.regions.size() + 1);
    with.regions.pop_back();
    EXPECT_EQ(with.regions, without.regions);
    EXPECT_EQ(with.summary, without.summary);
    EXPECT_EQ(with.next_steps, without.next_steps);
  }
}

TEST(Markers, HaveTheRoofOfTheirWorkAndNoGain) {
  Case example;
  testing::scalar(example);
  const Prediction prediction = predict(with_marker(example), &example.cpu);
  const RegionPrediction& loop = prediction.regions.at(1);
  const RegionPrediction& marker = prediction.regions.at(2);
  ASSERT_TRUE(loop.code);
  ASSERT_TRUE(marker.code);
  EXPECT_EQ(marker.code->ceiling, loop.code->ceiling);
  EXPECT_EQ(marker.code->fraction, loop.code->fraction);
  EXPECT_TRUE(loop.gain);
  EXPECT_FALSE(marker.gain);
  EXPECT_THAT(marker.findings, IsEmpty());
  EXPECT_TRUE(marker.verdict);
}

}  // namespace
}  // namespace ridge::predict
