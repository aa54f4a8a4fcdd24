#include "render/document/model/loop_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/model/loop_document.hpp"
#include "render/document/model/loop_models_for_tests.hpp"
#include "render/document/model/sweep_chart.hpp"
#include "render/document/model/sweep_svg.hpp"

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

using Loops = LoopModelsForTests;

constexpr TextStyle kUnicode{.columns = 100, .unicode = true, .colour = false};

TEST(LoopSweep, IsOneNestThatDiffersInOneSize) {
  const LoopModels models = Loops::make(Loops::sweep());
  const auto groups = groups_of(models);
  ASSERT_EQ(groups.size(), 1U);
  const auto sweeps = sweeps_of(groups.front());
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].symbol, "N");
  EXPECT_TRUE(sweeps[0].by_ecm);
  ASSERT_EQ(sweeps[0].breaks.size(), 3U);
  EXPECT_EQ(sweeps[0].breaks[0].up_to, Loops::kFirst);
  EXPECT_EQ(sweeps[0].breaks[2].level, Level::L3);
  EXPECT_EQ(sweeps[0].points.front().part, "DRAM");
  EXPECT_GT(sweeps[0].points.back().time, sweeps[0].points.front().time);
}

TEST(LoopSweep, TwoSizesThatChangeAreNone) {
  std::vector<LoopModel> loops = Loops::sweep();
  loops[1].values["M"] = 17;
  const LoopModels models = Loops::make(loops);
  EXPECT_TRUE(sweeps_of(groups_of(models).front()).empty());
}

TEST(LoopSweep, SizesThatAreTheSameAreOne) {
  std::vector<LoopModel> loops = Loops::sweep();
  for (LoopModel& loop : loops) {
    loop.values["M"] = loop.values["N"];
  }
  const LoopModels models = Loops::make(loops);
  const auto sweeps = sweeps_of(groups_of(models).front());
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].symbol, "M = N");
}

TEST(LoopSweep, TwoPointsAreNoSweep) {
  const LoopModels models = Loops::make({Loops::stencil(100), Loops::stencil(200)});
  EXPECT_TRUE(sweeps_of(groups_of(models).front()).empty());
}

TEST(LoopSweep, WithoutCyclesItIsTheRoofline) {
  std::vector<LoopModel> loops = Loops::sweep();
  loops[3].predictions.front().ecm.reset();
  const LoopModels models = Loops::make(loops);
  const auto sweeps = sweeps_of(groups_of(models).front());
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_FALSE(sweeps[0].by_ecm);
  EXPECT_EQ(sweeps[0].unit, "ns");
  EXPECT_NEAR(sweeps[0].points.back().time, 40.0 / 40.0, 1e-9);  // byte over GB/s
}

TEST(LoopSweep, WithoutPredictionsThereIsATableAlone) {
  std::vector<LoopModel> loops = Loops::sweep();
  for (LoopModel& loop : loops) {
    loop.predictions.clear();
  }
  const LoopModels models = Loops::make(loops);
  const auto sweeps = sweeps_of(groups_of(models).front());
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_TRUE(sweep_chart(sweeps[0], kUnicode).empty());
  EXPECT_EQ(sweep_table(sweeps[0]).rows.size(), loops.size());
  EXPECT_EQ(sweep_table(sweeps[0]).heading.size(), 4U);
}

TEST(LoopSweep, EverySizeHasAMarkAndEveryBreakAName) {
  const std::string drawn = loop_sweep_svg(Loops::make(Loops::sweep()));
  std::size_t marks = 0;
  for (auto at = drawn.find("class=\"dot"); at != std::string::npos;
       at = drawn.find("class=\"dot", at + 1)) {
    ++marks;
  }
  const std::size_t in_legend = 1;  // DRAM alone
  EXPECT_EQ(marks, Loops::sweep().size() + in_legend);
  EXPECT_THAT(drawn, HasSubstr("L1: 24*N &lt;= 32 KiB up to 1365"));
  EXPECT_THAT(drawn, HasSubstr("L3: 24*N &lt;= 20 MiB up to 873813"));
}

TEST(LoopSweep, ExtremesAreDrawn) {
  std::vector<LoopModel> loops = Loops::sweep();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].values["N"] = static_cast<std::int64_t>(i) - 2;  // 0 and below
    loops[i].predictions.front().ecm->levels.back().cycles = i == 0 ? 0.0 : 1e300;
  }
  const LoopModels models = Loops::make(loops);
  for (const std::string& text : {loop_models_text(models, kUnicode), loop_sweep_svg(models)}) {
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
  }
}

}  // namespace
}  // namespace ridge::render
