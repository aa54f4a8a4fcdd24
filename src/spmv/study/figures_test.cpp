#include "spmv/study/figures.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge::spmv {
namespace {

/// Nine rounds in which the machine gets slower, `seconds` at its quickest.
Samples drifting(double seconds) {
  Samples samples;
  for (int round = 0; round < 9; ++round) {
    samples.seconds.push_back(seconds * (1 + 0.25 * round));
    samples.bandwidths.push_back(20e9 / (1 + 0.25 * round));
  }
  return samples;
}

SparseTiming timing_of(const Samples& own, const Samples& csr, double conversion = 0.02) {
  SparseTiming timing;
  timing.format = "sell-32-1";
  set_figures(timing, own, csr, {2e7, 1e7, 1.2e8, conversion});
  return timing;
}

TEST(Figures, FormatsAreJudgedByTheRatioOfEachRound) {
  const SparseTiming timing = timing_of(drifting(1e-3), drifting(1.75e-3));
  // Unpaired, a quick round of CSR is quicker than a slow one of the format.
  EXPECT_LT(1.75 * timing.time.low.value(), timing.time.high.value());
  ASSERT_TRUE(timing.paired_speedup);
  EXPECT_NEAR(timing.paired_speedup->low, 1.75, 1e-9);
  EXPECT_NEAR(timing.paired_speedup->high, 1.75, 1e-9);
  // 20 ms of conversion over 3.5 ms of CSR in the middle round; each product spares 3/7 of it.
  EXPECT_NEAR(*timing.conversion_products, 0.02 / 3.5e-3, 1e-9);
  EXPECT_EQ(*timing.break_even, 14);
  EXPECT_NEAR(timing.own_roof_interval->median, 1e7 / 20e9 / 1e-3, 1e-9);
  EXPECT_NEAR(timing.code_balance_bound, 10e9 * 2e-3 / 2e7, 1e-9);
}

TEST(Figures, NothingPaysThatIsNotFasterBeyondTheNoise) {
  Samples own = drifting(1e-3);
  Samples csr = drifting(1.63e-3);
  for (const std::size_t disturbed : {1, 3, 4}) {
    own.seconds[disturbed] *= 9;
  }
  const SparseTiming noisy = timing_of(own, csr);
  EXPECT_EQ(standing_of(*noisy.paired_speedup), Standing::too_noisy);
  EXPECT_NEAR(noisy.paired_speedup->median, 1.63, 1e-9);
  EXPECT_FALSE(noisy.break_even);
  const SparseTiming same = timing_of(csr, csr);
  EXPECT_EQ(standing_of(*same.paired_speedup), Standing::no_difference);
  EXPECT_FALSE(same.break_even);
  EXPECT_FALSE(timing_of(csr, drifting(1e-3)).break_even) << "slower";
}

TEST(Figures, BreakEven) {
  EXPECT_EQ(break_even(5, 2), 10);
  EXPECT_EQ(break_even(0, 2), 0);
  EXPECT_FALSE(break_even(5, 1));
  EXPECT_FALSE(break_even(5, 0.5));
}

TEST(Figures, TheFastestIsTheFastestBeyondTheNoise) {
  SparseStudy study;
  const auto add = [&](const char* format, unsigned threads, const MedianInterval& ratio) {
    SparseTiming timing;
    timing.format = format;
    timing.threads = threads;
    timing.paired_speedup = ratio;
    // By their medians alone the later one would always be the fastest.
    timing.time.median = Seconds(1.0 / static_cast<double>(study.timings.size() + 1));
    study.timings.push_back(timing);
  };
  add("csr", 1, {1, 1, 1});
  add("binned", 1, {3, 0.8, 9});
  add("symmetric", 1, {1.1, 0.99, 1.2});
  EXPECT_EQ(fastest(study, 1)->format, "csr");
  add("pattern", 1, {1.3, 1.2, 1.4});
  add("bcsr-3x3", 1, {1.2, 1.1, 1.3});
  add("csr", 2, {1, 1, 1});
  EXPECT_EQ(fastest(study, 1)->format, "pattern");
  EXPECT_EQ(fastest(study, 2)->format, "csr");
  EXPECT_EQ(fastest(study, 3), nullptr);
}

}  // namespace
}  // namespace ridge::spmv
