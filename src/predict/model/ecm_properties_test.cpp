#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "predict/model/ecm.hpp"
#include "predict/model/loops_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::Lines;

class EcmProperties : public ::testing::Test {
 protected:
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::vector<Lines> lines() {
    std::vector<Lines> crossings;
    for (std::size_t i = 0; i < testing::kBeyondL1.size(); ++i) {
      crossings.push_back({between(0.1, 12.0), between(0.0, 4.0)});
    }
    return crossings;
  }
  Machine machine() {
    return testing::serial_machine(2e9, 16,
                                   {between(0.5, 2.0), between(1.0, 4.0), between(0.5, 4.0),
                                    between(0.5, 6.0), between(1.0, 20.0)});
  }
  static constexpr int kTries = 200;

 private:
  std::mt19937_64 random_{20150608};
};

TEST_F(EcmProperties, LessOverlapIsNeverFaster) {
  for (int i = 0; i < kTries; ++i) {
    const std::vector<double> transfers{between(0, 9), between(0, 9), between(0, 30)};
    const double overlapping = between(0, 40);
    const double transferring = between(0, 20);
    const auto cycles = [&](OverlapRule rule) {
      return ecm_cycles(rule, overlapping, transferring, transfers);
    };
    EXPECT_GE(cycles(OverlapRule::nothing), cycles(OverlapRule::arithmetic));
    EXPECT_GE(cycles(OverlapRule::arithmetic), cycles(OverlapRule::everything));
  }
}

TEST_F(EcmProperties, MoreTrafficIsNeverFaster) {
  for (int i = 0; i < kTries; ++i) {
    const Machine where = machine();
    std::vector<Lines> crossings = lines();
    const LoopModel less = testing::textbook_loop(2, 3, 4, crossings);
    const auto more_at = static_cast<std::size_t>(between(0.0, 2.99));
    crossings.at(more_at).read += between(0.0, 5.0);
    crossings.at(more_at).written += between(0.0, 2.0);
    const LoopModel more = testing::textbook_loop(2, 3, 4, crossings);
    for (const OverlapRule rule :
         {OverlapRule::nothing, OverlapRule::arithmetic, OverlapRule::everything}) {
      const EcmModel a = ecm_of(less, where, rule, 2e9);
      const EcmModel b = ecm_of(more, where, rule, 2e9);
      for (std::size_t level = 0; level < a.levels.size(); ++level) {
        EXPECT_GE(b.levels.at(level).cycles, a.levels[level].cycles * (1.0 - 1e-6));
      }
    }
  }
}

TEST_F(EcmProperties, EveryLevelFurtherOutIsNoFaster) {
  for (int i = 0; i < kTries; ++i) {
    const EcmModel ecm = ecm_of(testing::textbook_loop(2, between(0, 9), between(0, 9), lines()),
                                machine(), OverlapRule::arithmetic, 2e9);
    for (std::size_t level = 1; level < ecm.levels.size(); ++level) {
      EXPECT_GE(ecm.levels[level].cycles, ecm.levels[level - 1].cycles);
    }
  }
}

TEST_F(EcmProperties, CoresNeverSlowDownNorPassTheRoof) {
  for (int i = 0; i < kTries; ++i) {
    const EcmModel ecm = ecm_of(testing::textbook_loop(2, between(0, 99), between(0, 9), lines()),
                                machine(), OverlapRule::arithmetic, 2e9);
    ASSERT_FALSE(ecm.scaling.empty());
    const double roof = 2e9 / ecm.saturated_cycles.value();
    double before = 0.0;
    for (const EcmScaling& point : ecm.scaling) {
      EXPECT_GE(point.iterations_per_second, before);
      EXPECT_LE(point.iterations_per_second, roof * (1.0 + 1e-12));
      const bool is_saturated = point.threads >= ecm.saturating_threads.value();
      EXPECT_EQ(is_saturated, point.iterations_per_second >= roof * (1.0 - 1e-9));
      before = point.iterations_per_second;
    }
  }
}

}  // namespace
}  // namespace ridge::predict
