#include "bench/runner.hpp"

#include <gtest/gtest.h>

#include "bench/variants.hpp"
#include "platform/affinity.hpp"

namespace ridge::bench {
namespace {

JitKernel build(const char* pattern) {
  return JitKernel::build(*find_kernel(CeilingKind::bandwidth, pattern), Isa::sse, Precision::fp64)
      .value();
}

TEST(Walk, ArraysFillTheSetWithoutOverlapAndDifferInTheirPlaceInAPage) {
  for (const char* pattern : {"load", "copy", "triad"}) {
    const JitKernel kernel = build(pattern);
    const unsigned arrays = find_kernel(CeilingKind::bandwidth, pattern)->arrays();
    for (const std::uint64_t set : {std::uint64_t{1}, std::uint64_t{24576}, std::uint64_t{1} << 20U,
                                    std::uint64_t{12345678}}) {
      const Walk walk = lay_out(kernel, arrays, set);
      EXPECT_EQ(walk.array_bytes, walk.turns * kernel.bytes_per_turn());
      EXPECT_GE(walk.stride, walk.array_bytes);
      EXPECT_TRUE(set < 4096 || walk.array_bytes * arrays <= set);
      EXPECT_LE(extent(walk, arrays), walk.array_bytes * arrays + 4096 * arrays);
      EXPECT_EQ(walk.stride % 64, 0U);
      for (unsigned array = 1; array < arrays; ++array) {
        EXPECT_NE(walk.stride * array % 4096, 0U) << pattern << " " << set;
      }
    }
  }
}

TEST(Walk, ShortPassesAreRepeatedLongOnesAreCutInPieces) {
  const JitKernel kernel = build("copy");
  const Walk whole = lay_out(kernel, 2, 1 << 20U);
  const Walk repeated = fit(whole, Seconds{10e-6}, Seconds{50e-6});
  EXPECT_EQ(repeated.repetitions, 5U);
  EXPECT_EQ(repeated.pieces, 1U);
  EXPECT_EQ(repeated.turns, whole.turns);

  const Walk cut = fit(whole, Seconds{1e-3}, Seconds{50e-6});
  EXPECT_EQ(cut.repetitions, 1U);
  EXPECT_EQ(cut.pieces, 20U);
  EXPECT_EQ(cut.turns, whole.turns / 20);
  EXPECT_EQ(cut.array_bytes, cut.pieces * cut.turns * kernel.bytes_per_turn());
  EXPECT_LE(cut.array_bytes, whole.array_bytes);
  EXPECT_EQ(cut.stride, whole.stride);
}

TEST(Walk, AnyTimesGiveAUsableWalk) {
  const JitKernel kernel = build("load");
  for (const double pass : {0.0, 1e-12, 1e-6, 1.0, 1e6}) {
    for (const std::uint64_t set :
         {std::uint64_t{0}, std::uint64_t{4096}, std::uint64_t{1} << 24U}) {
      const Walk walk = fit(lay_out(kernel, 1, set), Seconds{pass}, Seconds{50e-6});
      EXPECT_GE(walk.turns, 1U);
      EXPECT_GE(walk.repetitions, 1U);
      EXPECT_GE(walk.pieces, 1U);
    }
    EXPECT_GE(fit({}, Seconds{pass}, Seconds{50e-6}).turns, 1U);
  }
}

TEST(Walk, AWarmUpWalksThroughWhatItIsTold) {
  const JitKernel kernel = build("copy");
  const Walk whole = lay_out(kernel, 2, 1 << 20U);
  EXPECT_EQ(samples_through(whole, 2, 4 * whole.array_bytes), 2U);
  EXPECT_EQ(samples_through(fit(whole, Seconds{10e-6}, Seconds{50e-6}), 2, 2 << 20U), 1U);
  const std::uint64_t samples =
      samples_through(fit(whole, Seconds{1e-3}, Seconds{50e-6}), 2, 1 << 20U);
  EXPECT_GE(samples, 20U);
  EXPECT_LE(samples, 22U);
  EXPECT_EQ(samples_through(whole, 2, 0), 1U);
  EXPECT_EQ(samples_through({}, 0, 0), 1U);
}

TEST(Measured, VisitsWithoutSamplesOfThreadsAtOnceGiveNoRates) {
  const Measured good{
      .rates = {1.0, 2.0}, .clocks = {3.0, 4.0}, .burst_cycles = {5.0, 6.0}, .thrown_away = 1};
  const Measured apart{.thrown_away = 2, .threads_apart = true};
  Measured all;
  all.append(apart);
  all.append({});
  EXPECT_TRUE(all.threads_apart);
  EXPECT_TRUE(all.rates.empty());
  all.append(good);
  EXPECT_FALSE(all.threads_apart);
  EXPECT_EQ(all.rates, good.rates);
  EXPECT_EQ(all.thrown_away, 3U);
  all.append(apart);
  EXPECT_FALSE(all.threads_apart) << "there are others";
  EXPECT_EQ(all.rates, good.rates);
  EXPECT_EQ(all.thrown_away, 5U);
  all.append(good);
  EXPECT_EQ(all.rates.size(), 4U);
  EXPECT_EQ(all.clocks.size(), 4U);
  EXPECT_EQ(all.burst_cycles.size(), 4U);
  EXPECT_EQ(all.visits, (std::vector<unsigned>{0, 0, 1, 1}));
  EXPECT_EQ(all.thrown_away, 6U);
}

TEST(Smoothed, AClockIsTheMeanOverNeighboursThatResembleIt) {
  EXPECT_TRUE(smoothed({}).empty());
  EXPECT_EQ(smoothed({4.0}), std::vector<double>{4.0});
  // Steps of a counter, half a percent high: the middle sees all five, the ends three and four.
  const auto steps = smoothed({4.00, 4.02, 4.00, 4.02, 4.00});
  EXPECT_DOUBLE_EQ(steps[2], (3 * 4.00 + 2 * 4.02) / 5);
  EXPECT_DOUBLE_EQ(steps[0], (2 * 4.00 + 4.02) / 3);
  EXPECT_DOUBLE_EQ(steps[1], (2 * 4.00 + 2 * 4.02) / 4);
  // The clock falls by a tenth: neither side takes from the other.
  EXPECT_EQ(smoothed({4.0, 4.0, 3.6, 3.6}), (std::vector<double>{4.0, 4.0, 3.6, 3.6}));
}

TEST(Runner, TwoFormsOfAKernelAreTwoLoops) {
  Runner runner(platform::allowed_cpus(), platform::ClockProbe(platform::calibrate_tsc()));
  std::vector<std::uint64_t> pairs;
  for (const Kernel& kernel : kKernels) {
    if (kernel.name() == "fma+add") {
      PlannedKernel planned;
      planned.kernel = &kernel;
      planned.isa = Isa::avx2;
      pairs.push_back(runner.loop_work(planned)->fma);
    }
  }
  EXPECT_EQ(pairs, (std::vector<std::uint64_t>{24, 36}));
}

class OneKernelPerIsa : public testing::TestWithParam<Isa> {};

// A smoke run: rates come out and are finite; how large they are decides nothing. Without any, the
// threads were never on CPUs at once, which a busy machine may do to them and not to one.
TEST_P(OneKernelPerIsa, GivesRates) {
  if (!is_supported(GetParam(), platform::simd_support()) || !platform::simd_support().fma) {
    GTEST_SKIP() << "this CPU lacks this instruction set or FMA";
  }
  const auto cpus = platform::allowed_cpus();
  Runner runner(cpus, platform::ClockProbe(platform::calibrate_tsc()));
  for (const Kernel& kernel : kKernels) {
    if (kernel.order != Order::straight ||
        !can_run({&kernel, GetParam(), Precision::fp64}, platform::simd_support())) {
      continue;
    }
    PlannedKernel planned;
    planned.id = std::to_string(&kernel - kKernels.data());
    planned.kernel = &kernel;
    planned.isa = GetParam();
    planned.threads = static_cast<unsigned>(cpus.size());
    planned.set_bytes = kernel.arrays() == 0 ? 0 : 1U << 20U;
    planned.sample_time = Seconds{20e-6};
    const auto turns = runner.run({{&planned, Seconds{0.001}}});
    ASSERT_TRUE(turns) << turns.error().message;
    const Measured* measured = &turns->front();
    EXPECT_EQ(measured->rates.empty(), measured->threads_apart);
    EXPECT_FALSE(measured->threads_apart && planned.threads == 1);
    EXPECT_EQ(measured->rates.size(), measured->clocks.size());
    for (const double rate : measured->rates) {
      EXPECT_GT(rate, 0.0) << kernel.name();
      EXPECT_LT(rate, 1e15) << kernel.name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runner, OneKernelPerIsa, testing::ValuesIn(kIsas),
                         [](const auto& isa) { return std::string(to_string(isa.param)); });

}  // namespace
}  // namespace ridge::bench
