#include "predict/model/ecm.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/model/loops_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::kIterationsOfALine;
using testing::Lines;

/// Cycles for each cache line of work, as the papers have them: transfers follow from clocks and
/// bandwidths, in-core terms were quoted without the papers at hand.
struct Published {
  std::string name;
  double overlapping = 0.0;
  double transferring = 0.0;
  std::vector<Lines> lines;       ///< L1-L2, L2-L3, L3-memory
  std::vector<double> transfers;  ///< the same in cycles
  std::vector<double> levels;     ///< data in L1, L2, L3, memory
  unsigned saturating = 0;
};

// H. Stengel, J. Treibig, G. Hager, G. Wellein, Quantifying performance bottlenecks of stencil
// computations using the Execution-Cache-Memory model (ICS 2015): the 5-point Jacobi in two
// dimensions with the layer condition fulfilled in L1, L2, L3 and nowhere, the long-range stencil.
// The Schoenauer triad: J. Treibig, G. Hager, Introducing a performance model for
// bandwidth-limited loop kernels (PPAM 2009), with the same machine.
const std::vector<Published>& sandy_bridge_cases() {
  static const std::vector<Published> cases{
      {"Jacobi, condition in L1", 6, 8, {{2, 1}, {2, 1}, {2, 1}}, {6, 6, 13}, {8, 14, 20, 33}, 3},
      {"Jacobi, condition in L2", 6, 8, {{4, 1}, {2, 1}, {2, 1}}, {10, 6, 13}, {8, 18, 24, 37}, 3},
      {"Jacobi, condition in L3", 6, 8, {{4, 1}, {4, 1}, {2, 1}}, {10, 10, 13}, {8, 18, 28, 41}, 4},
      {"Jacobi, nowhere", 6, 8, {{4, 1}, {4, 1}, {4, 1}}, {10, 10, 21.6}, {8, 18, 28, 49.6}, 3},
      {"long-range", 68, 62, {{11, 1}, {11, 1}, {3, 1}}, {24, 24, 17}, {68, 86, 110, 127}, 8},
      {"Schoenauer triad", 4, 6, {{4, 1}, {4, 1}, {4, 1}}, {10, 10, 21.6}, {6, 16, 26, 47.6}, 3}};
  return cases;
}

void expect_published(const Published& published, const Machine& machine) {
  SCOPED_TRACE(published.name);
  constexpr double kPrinted = 0.31;  // papers round terms to whole cycles
  const LoopModel loop =
      testing::textbook_loop(4, published.overlapping, published.transferring, published.lines);
  const double clock = machine.clock.core->p90.value();
  const EcmModel ecm = ecm_of(loop, machine, OverlapRule::arithmetic, clock);
  EXPECT_DOUBLE_EQ(ecm.overlapping_cycles * kIterationsOfALine, published.overlapping);
  EXPECT_DOUBLE_EQ(ecm.transferring_cycles * kIterationsOfALine, published.transferring);
  ASSERT_EQ(ecm.transfers.size(), published.transfers.size());
  for (std::size_t i = 0; i < ecm.transfers.size(); ++i) {
    EXPECT_NEAR(ecm.transfers[i].cycles.value() * kIterationsOfALine, published.transfers[i],
                kPrinted);
  }
  ASSERT_EQ(ecm.levels.size(), published.levels.size());
  for (std::size_t i = 0; i < ecm.levels.size(); ++i) {
    EXPECT_NEAR(ecm.levels[i].cycles * kIterationsOfALine, published.levels[i], kPrinted);
    EXPECT_DOUBLE_EQ(ecm.levels[i].performance.value(), 4.0 * clock / ecm.levels[i].cycles);
  }
  EXPECT_EQ(ecm.saturating_threads, published.saturating);
}

TEST(Ecm, SandyBridgeAsPublished) {
  for (const Published& published : sandy_bridge_cases()) {
    expect_published(published, testing::sandy_bridge());
  }
}

// J. Hofmann, J. Eitzinger, D. Fey, Execution-Cache-Memory performance model: introduction and
// validation (arXiv 1509.03118): 64 B/cycle from L2, 32 B/cycle from L3, 2.3 GHz, a dot product
// that draws 32.4 GB/s of one memory domain.
TEST(Ecm, DotProductOnHaswellAsPublished) {
  constexpr double kClock = 2.3e9;
  const Machine machine =
      testing::serial_machine(kClock, 7, {1.0, 2.0, 1.0, 2.0, testing::kLine * kClock / 32.4e9});
  expect_published({"dot", 1, 2, {{2, 0}, {2, 0}, {2, 0}}, {2, 4, 9.1}, {2, 4, 8, 17.1}, 2},
                   machine);
}

TEST(Ecm, EveryCoreAddsUntilTheMemoryIsSaturated) {
  const LoopModel loop = testing::textbook_loop(4, 6, 8, {{4, 1}, {4, 1}, {2, 1}});
  const EcmModel ecm = ecm_of(loop, testing::sandy_bridge(), OverlapRule::arithmetic, 2.7e9);
  ASSERT_EQ(ecm.scaling.size(), 4U);  // 1, 2, 4 and 8
  const double one = ecm.scaling[0].iterations_per_second;
  EXPECT_DOUBLE_EQ(ecm.scaling[1].iterations_per_second, 2.0 * one);
  // 24 bytes an iteration at 40 GB/s.
  EXPECT_NEAR(ecm.scaling[2].iterations_per_second, 40e9 / 24.0, 1.0);
  EXPECT_NEAR(ecm.scaling[3].iterations_per_second, 40e9 / 24.0, 1.0);
  EXPECT_EQ(ecm.scaling[3].threads, 8U);
  EXPECT_DOUBLE_EQ(ecm.scaling[3].performance.value(), 4.0 * ecm.scaling[3].iterations_per_second);
}

TEST(Ecm, WithFullOverlapTheMeasuredRatesAreThoseOfTheBoundaries) {
  // Zen 4 of the tests: 32, 40 and 25 bytes a cycle of loads and copies, 40 GB/s at 4 GHz.
  const LoopModel loop = testing::textbook_loop(4, 1, 2, {{2, 0}, {2, 0}, {2, 0}});
  const EcmModel ecm = ecm_of(loop, testing::zen4(), OverlapRule::everything, testing::kZen);
  const std::vector<double> expected{2.0, 4.0, 128.0 / 25.0, 12.8};
  ASSERT_EQ(ecm.levels.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(ecm.levels[i].cycles * kIterationsOfALine, expected[i], 1e-6);
  }
  EXPECT_EQ(ecm.transfers.back().ceiling, "bandwidth.DRAM.load.avx512.t1");
}

TEST(Ecm, ChainsAndTheFrontEndCountAsArithmetic) {
  LoopModel loop = testing::textbook_loop(1, 1, 2, {{1, 0}, {1, 0}, {1, 0}});
  loop.in_core->cycles = 32.0;  // a sum: the chain
  const EcmModel ecm = ecm_of(loop, testing::sandy_bridge(), OverlapRule::arithmetic, 2.7e9);
  EXPECT_DOUBLE_EQ(ecm.levels.front().cycles * kIterationsOfALine, 32.0);
  EXPECT_DOUBLE_EQ(ecm.levels.back().cycles * kIterationsOfALine, 32.0);
}

TEST(Ecm, AnUnknownTermIsAbsentAndEndsTheSum) {
  const LoopModel loop = testing::textbook_loop(4, 6, 8, {{4, 1}, {4, 1}});
  const EcmModel ecm = ecm_of(loop, testing::sandy_bridge(), OverlapRule::arithmetic, 2.7e9);
  ASSERT_EQ(ecm.transfers.size(), 3U);
  EXPECT_FALSE(ecm.transfers[2].cycles);
  EXPECT_NE(ecm.transfers[2].missing.find("traffic"), std::string::npos);
  ASSERT_EQ(ecm.levels.size(), 3U);
  EXPECT_EQ(ecm.levels.back().level, Level::L3);
  EXPECT_FALSE(ecm.saturating_threads);
  EXPECT_TRUE(ecm.scaling.empty());
}

TEST(Ecm, ABandwidthThatWasNotMeasuredIsNamed) {
  Machine machine = testing::sandy_bridge();
  std::erase_if(machine.ceilings,
                [](const Ceiling& ceiling) { return ceiling.level == Level::L3; });
  const LoopModel loop = testing::textbook_loop(4, 6, 8, {{4, 1}, {4, 1}, {2, 1}});
  const EcmModel ecm = ecm_of(loop, machine, OverlapRule::arithmetic, 2.7e9);
  EXPECT_FALSE(ecm.transfers.at(1).cycles);
  EXPECT_NE(ecm.transfers.at(1).missing.find("bandwidth"), std::string::npos);
  EXPECT_EQ(ecm.levels.size(), 2U);
}

TEST(Ecm, ABoundaryThatNothingCrossesTakesNoTime) {
  const LoopModel loop = testing::textbook_loop(4, 6, 8, {{4, 1}, {0, 0}, {0, 0}});
  const EcmModel ecm = ecm_of(loop, testing::sandy_bridge(), OverlapRule::arithmetic, 2.7e9);
  EXPECT_EQ(ecm.transfers.at(1).cycles, 0.0);
  EXPECT_DOUBLE_EQ(ecm.levels.back().cycles, ecm.levels.at(1).cycles);
  EXPECT_FALSE(ecm.saturating_threads);
}

TEST(Ecm, TheRuleIsThatOfTheCore) {
  std::vector<Note> notes;
  Microarchitecture zen = testing::zen4_pipes();
  zen.overlap = OverlapRule::everything;
  EXPECT_EQ(overlap_of(&zen, notes), OverlapRule::everything);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(overlap_of(nullptr, notes), OverlapRule::arithmetic);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, "overlap-assumed");
}

}  // namespace
}  // namespace ridge::predict
