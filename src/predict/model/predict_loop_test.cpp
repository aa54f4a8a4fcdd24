#include "predict/model/predict_loop.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "predict/model/loop_region.hpp"
#include "predict/model/loops_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

bool has_note(const LoopPrediction& prediction, std::string_view code) {
  return std::ranges::any_of(prediction.notes, [&](const Note& note) { return note.code == code; });
}

/// c[i] = a[i] + b[i] from memory: 2 loads, 1 store, 1 flop.
LoopModel vector_sum() {
  LoopModel loop = testing::textbook_loop(1, 1, 2, {{3, 1}, {3, 1}, {3, 1}});
  loop.accesses.insert(loop.accesses.begin(), {"read c[i]", "c", 8, false, false, false, 1});
  return loop;
}

TEST(PredictLoop, TheNaiveRooflineKnowsArithmeticAndMemoryAlone) {
  const LoopPrediction prediction = predict_loop(vector_sum(), testing::zen4(), nullptr, 1);
  ASSERT_TRUE(prediction.naive);
  EXPECT_EQ(prediction.naive->binds, "DRAM");
  ASSERT_EQ(prediction.naive->limits.size(), 2U);
  EXPECT_EQ(prediction.naive->limits[0].resource, "arithmetic");
  // Best mix of one core: 24 flop a cycle at 4 GHz.
  EXPECT_NEAR(prediction.naive->limits[0].seconds, 1.0 / (24 * testing::kZen), 1e-16);
  EXPECT_DOUBLE_EQ(prediction.naive->performance.value(), 1.0 / prediction.naive->seconds);
}

TEST(PredictLoop, WhatIsInTheCacheIsBoundByIt) {
  const LoopModel loop = testing::textbook_loop(1, 1, 2, {{2, 0}, {2, 0}, {0, 0}});
  Machine machine = testing::zen4();
  machine.clock.core = testing::exactly<Hertz>(testing::kZen);
  const LoopPrediction prediction = predict_loop(loop, machine, nullptr, 1);
  ASSERT_TRUE(prediction.hierarchical);
  EXPECT_EQ(prediction.hierarchical->binds, "L3");
  // 16 bytes an iteration at 25 bytes a cycle.
  EXPECT_NEAR(prediction.hierarchical->seconds * testing::kZen, 16.0 / 25.0, 1e-6);
  EXPECT_EQ(prediction.hierarchical->limits.front().resource, "in-core");
  EXPECT_TRUE(prediction.hierarchical->limits.front().ceiling.empty());
  EXPECT_NEAR(prediction.hierarchical->limits.front().seconds, 2.0 / 8.0 / testing::kZen, 1e-18);
}

TEST(PredictLoop, ThreadsShareTheIterations) {
  Machine machine = testing::zen4();
  machine.clock.core = testing::exactly<Hertz>(testing::kZen);
  const LoopModel loop = testing::textbook_loop(1, 90, 2, {{0.1, 0}, {0, 0}, {0, 0}});
  const LoopPrediction one = predict_loop(loop, machine, nullptr, 1);
  const LoopPrediction two = predict_loop(loop, machine, nullptr, 2);
  EXPECT_EQ(one.hierarchical.value().binds, "in-core");
  EXPECT_DOUBLE_EQ(one.hierarchical->seconds, 2.0 * two.hierarchical.value().seconds);
  EXPECT_EQ(two.threads, 2U);
}

TEST(PredictLoop, ThreadsThatWereNotMeasuredAreSaid) {
  const LoopPrediction prediction = predict_loop(vector_sum(), testing::zen4(), nullptr, 64);
  EXPECT_EQ(prediction.threads, 2U);
  EXPECT_TRUE(has_note(prediction, "threads-not-measured"));
}

TEST(PredictLoop, WithoutMachineCodeThereIsTheRooflineAlone) {
  LoopModel loop = vector_sum();
  loop.in_core.reset();
  const LoopPrediction prediction = predict_loop(loop, testing::sandy_bridge(), nullptr, 1);
  EXPECT_FALSE(prediction.ecm);
  EXPECT_TRUE(has_note(prediction, "no-in-core"));
  ASSERT_TRUE(prediction.hierarchical);
  EXPECT_EQ(prediction.hierarchical->limits.front().resource, "L1");
}

TEST(PredictLoop, WithoutAClockThereAreNoCycles) {
  Machine machine = testing::sandy_bridge();
  machine.clock.core.reset();
  const LoopPrediction prediction = predict_loop(vector_sum(), machine, nullptr, 1);
  EXPECT_FALSE(prediction.ecm);
  EXPECT_FALSE(prediction.clock);
  EXPECT_TRUE(has_note(prediction, "no-clock"));
}

TEST(PredictLoop, AMachineWithoutCeilingsGivesNothing) {
  Machine machine;
  const LoopPrediction prediction = predict_loop(vector_sum(), machine, nullptr, 1);
  EXPECT_FALSE(prediction.naive || prediction.hierarchical || prediction.ecm);
  EXPECT_TRUE(has_note(prediction, "no-ceiling"));
  EXPECT_EQ(prediction.machine, kUnnamedMachine);
}

TEST(PredictLoop, WithoutTrafficItSaysSo) {
  LoopModel loop = vector_sum();
  loop.traffic.clear();
  const LoopPrediction prediction = predict_loop(loop, testing::sandy_bridge(), nullptr, 1);
  EXPECT_TRUE(has_note(prediction, "no-traffic"));
  ASSERT_TRUE(prediction.ecm);
  EXPECT_EQ(prediction.ecm->levels.size(), 1U);
}

TEST(PredictLoop, SimulatedTrafficGoesBeforeLayerConditions) {
  LoopModel loop = vector_sum();
  loop.traffic.insert(loop.traffic.begin(),
                      testing::traffic_of({{9, 1}, {9, 1}, {9, 1}}, TrafficMethod::simulation));
  EXPECT_EQ(best_traffic(loop)->method, TrafficMethod::simulation);
  std::swap(loop.traffic[0], loop.traffic[1]);
  EXPECT_EQ(best_traffic(loop)->method, TrafficMethod::simulation);
  EXPECT_DOUBLE_EQ(best_traffic(loop)->crossings[0].read, 72.0);
}

TEST(PredictLoop, ALoopWithoutFlopsHasTimesAndNoPerformance) {
  LoopModel loop = vector_sum();
  loop.operations.clear();
  const LoopPrediction prediction = predict_loop(loop, testing::sandy_bridge(), nullptr, 1);
  ASSERT_TRUE(prediction.hierarchical && prediction.ecm);
  EXPECT_FALSE(prediction.hierarchical->performance);
  EXPECT_FALSE(prediction.ecm->levels.back().performance);
  EXPECT_GT(prediction.ecm->scaling.front().iterations_per_second, 0.0);
}

TEST(PredictLoop, MemoryIsThatOfTheMachine) {
  Machine machine = testing::sandy_bridge();
  machine.memories.front().level = Level::HBM;
  for (Ceiling& ceiling : machine.ceilings) {
    if (ceiling.level == Level::DRAM) {
      Ceiling renamed =
          ceiling_of({BandwidthKey{Level::HBM, *ceiling.pattern, ceiling.isa, ceiling.threads}});
      renamed.value = ceiling.value;
      renamed.traffic_value = ceiling.traffic_value;
      ceiling = renamed;
    }
  }
  const LoopPrediction prediction = predict_loop(vector_sum(), machine, nullptr, 1);
  EXPECT_EQ(prediction.ecm.value().levels.back().level, Level::HBM);
}

TEST(PredictLoop, ALineOfWorkIsThatOfTheWidestElement) {
  LoopModel loop = vector_sum();
  const Machine machine = testing::sandy_bridge();
  EXPECT_EQ(iterations_per_line(loop, machine), 8.0);
  loop.accesses[0].bytes = 4;
  EXPECT_EQ(iterations_per_line(loop, machine), 8.0);
  loop.loops.back().step = -2;
  EXPECT_EQ(iterations_per_line(loop, machine), 4.0);
  loop.loops.back().step = 1000;
  EXPECT_EQ(iterations_per_line(loop, machine), 1.0);
  loop.accesses.clear();
  EXPECT_FALSE(iterations_per_line(loop, machine));
}

}  // namespace

void loop_prediction_sentences(tests::Sentences& sentences) {
  std::set<std::string> said;
  const auto add = [&](const std::string& name, const LoopPrediction& prediction) {
    for (const Note& note : prediction.notes) {
      if (said.insert(note.text).second) {  // each once: others are the roof's
        sentences.add(fmt::format("{}: {}, {}", name, note.code, said.size()), note.text);
      }
    }
    for (const EcmTransfer& transfer : prediction.ecm.value_or(EcmModel()).transfers) {
      if (!transfer.missing.empty()) {
        sentences.add(fmt::format("{}: {}", name, to_string(transfer.level)), transfer.missing);
      }
    }
  };
  LoopModel loop = vector_sum();
  Machine machine = testing::sandy_bridge();
  add("loop on 3 threads", predict_loop(loop, machine, nullptr, 3));
  std::erase_if(machine.ceilings,
                [](const Ceiling& ceiling) { return ceiling.level == Level::L3; });
  add("loop without L3", predict_loop(loop, machine, nullptr, 1));
  machine.clock.core.reset();
  add("loop without clock", predict_loop(loop, machine, nullptr, 1));
  machine.ceilings.clear();
  add("loop without ceilings", predict_loop(loop, machine, nullptr, 1));
  loop.traffic.clear();
  add("loop without traffic", predict_loop(loop, testing::sandy_bridge(), nullptr, 1));
  loop.in_core.reset();
  add("loop without machine code", predict_loop(loop, testing::sandy_bridge(), nullptr, 1));
}

}  // namespace ridge::predict
