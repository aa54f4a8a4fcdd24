#include "render/document/model/measured_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/model/loop_models_for_tests.hpp"

namespace ridge::render {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// 1000 iterations a call; the model gives `modelled_cycles()` for one.
LoopModel ran(double cycles) {
  LoopModel model = LoopModelsForTests::stencil(1000);
  LoopMeasurement& measured = model.measured.emplace();
  measured.iterations = 1000;
  const double of_call = 1000.0 * cycles;
  measured.cycles = Estimate<Cycles>{
      Cycles(of_call), Cycles(of_call), Cycles(0.9 * of_call), Cycles(1.1 * of_call), 50,
      Origin::measured};
  const Seconds seconds(of_call / LoopModelsForTests::kClock);
  measured.seconds = {seconds, seconds, seconds, seconds, 50, Origin::measured};
  return model;
}

TEST(MeasuredWords, WithoutARunThereAreNone) {
  EXPECT_THAT(measured_words(LoopModelsForTests::stencil(1000)), IsEmpty());
}

TEST(MeasuredWords, FiguresOfAnIterationBesideTheModel) {
  const double modelled = *modelled_cycles(ran(1.0));
  const auto words = measured_words(ran(modelled / 1.1));
  ASSERT_EQ(words.size(), 2U);
  EXPECT_THAT(words[0], HasSubstr("cycles an iteration ("));
  EXPECT_THAT(words[0], HasSubstr("Flop/s"));
  EXPECT_THAT(words[1], HasSubstr("10 % more"));
  EXPECT_DOUBLE_EQ(*measured_cycles(ran(4.0)), 4.0);
}

TEST(MeasuredWords, WhatIsFarOffIsExplained) {
  const double modelled = *modelled_cycles(ran(1.0));
  EXPECT_THAT(measured_words(ran(2.0 * modelled))[1], HasSubstr("50 % less: what it leaves out"));
  EXPECT_THAT(measured_words(ran(0.5 * modelled))[1],
              HasSubstr("100 % more: more of the transfers"));
}

TEST(MeasuredWords, WithoutAClockThereIsTheTime) {
  LoopModel model = ran(2.7);
  model.measured->cycles.reset();
  model.measured->notes = {{"n", "said of the run"}};
  EXPECT_THAT(measured_words(model),
              ElementsAre(HasSubstr("1.00 ns an iteration"), "said of the run"));
}

}  // namespace
}  // namespace ridge::render
