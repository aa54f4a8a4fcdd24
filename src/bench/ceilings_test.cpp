#include "bench/ceilings.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

class CeilingTest : public testing::Test {
 protected:
  static PlannedKernel fma(unsigned threads = 1) {
    PlannedKernel planned;
    planned.id = "compute.fp64.avx2.fma.t1";
    planned.kernel = find_kernel(CeilingKind::compute, "fma");
    planned.isa = Isa::avx2;
    planned.threads = threads;
    return planned;
  }
  static PlannedKernel stores(Level level) {
    PlannedKernel planned;
    planned.id = to_string(BandwidthKey{level, Pattern::store, Isa::avx2, 1});
    planned.kernel = find_kernel(CeilingKind::bandwidth, "store");
    planned.isa = Isa::avx2;
    planned.level = level;
    planned.set_bytes = 64U << 20U;
    return planned;
  }
  static Measured constant(double rate, double clock = 1e9, std::size_t samples = 20) {
    return {.rates = std::vector<double>(samples, rate),
            .clocks = std::vector<double>(samples, clock),
            .burst_cycles = std::vector<double>(samples, 5000.0),
            .visits = std::vector<unsigned>(samples, 0)};
  }

  Machine machine_ = testing_fixture::small();
  Microarchitecture theory_ = testing_fixture::theory();
  CeilingContext context_{.machine = machine_, .theory = &theory_};
  LoopWork store_loop_{.stored_bytes = 512};
};

TEST_F(CeilingTest, OfTwoFormsTheBetterOneIsTheCeiling) {
  PlannedKernel chained = fma();
  chained.kernel = find_kernel(CeilingKind::compute, "fma+add");
  chained.id = "compute.fp64.avx2.fma+add.t1";
  PlannedKernel free = chained;
  for (const Kernel& kernel : kKernels) {
    free.kernel = kernel.free_adds && kernel.name() == "fma+add" ? &kernel : free.kernel;
  }
  ASSERT_NE(free.kernel, chained.kernel);
  free.id = "compute.fp64.avx2.fma+add.free-adds.t1";
  for (const double other : {7e10, 9e10}) {
    std::vector<Ceiling> ceilings;
    add_better_form(ceilings, fma(), make_ceiling(fma(), {}, constant(6e10), context_));
    add_better_form(ceilings, chained, make_ceiling(chained, {}, constant(8e10), context_));
    add_better_form(ceilings, free, make_ceiling(free, {}, constant(other), context_));
    ASSERT_EQ(ceilings.size(), 2U);
    EXPECT_DOUBLE_EQ(p90_of(ceilings[0].value), 6e10);
    EXPECT_EQ(ceilings[1].id, "compute.fp64.avx2.fma+add.t1");
    EXPECT_DOUBLE_EQ(p90_of(ceilings[1].value), std::max(other, 8e10));
    EXPECT_EQ(add_better_form(ceilings, free, make_ceiling(free, {}, constant(1e10), context_)),
              std::nullopt);
    EXPECT_EQ(add_better_form(ceilings, free, make_ceiling(free, {}, constant(1e11), context_)),
              1U);
  }
}

TEST_F(CeilingTest, OperationsOnBytesAreNoFlops) {
  PlannedKernel planned = fma();
  for (const Kernel& kernel : kKernels) {
    planned.kernel = kernel.numbers == Numbers::int8 ? &kernel : planned.kernel;
  }
  ASSERT_EQ(planned.kernel->name(), "dot");
  planned.isa = Isa::avx512;
  const Ceiling ceiling = make_ceiling(planned, {}, constant(4e11), context_);
  EXPECT_EQ(unit_of(ceiling.value), "op/s");
  EXPECT_EQ(ceiling.precision, "int8");
  EXPECT_DOUBLE_EQ(p90_of(ceiling.value), 4e11);
  EXPECT_FALSE(ceiling.limit);
  EXPECT_THAT(ceiling.flags, Not(Contains(flag::kUntested)));
  planned.isa = Isa::amx;
  EXPECT_THAT(make_ceiling(planned, {}, constant(4e12), context_).flags, Contains(flag::kUntested));
}

TEST_F(CeilingTest, SumsOfIntegersAreNoFlopsAndHaveNoLimitOfThem) {
  PlannedKernel planned = fma();
  planned.isa = Isa::avx2;  // of which the test's core has limits
  for (const Kernel& kernel : kKernels) {
    const bool sum = kernel.numbers == Numbers::int64 && kernel.is(Operation::add);
    planned.kernel = sum ? &kernel : planned.kernel;
  }
  ASSERT_TRUE(planned.kernel->is_integer());
  planned.precision = Precision::fp64;
  planned.id = to_string(key_of(planned));
  const Ceiling ceiling = make_ceiling(planned, {}, constant(4e10), context_);
  EXPECT_EQ(ceiling.id, "compute.int64.avx2.add.t1");
  EXPECT_EQ(ceiling.precision, "int64");
  EXPECT_EQ(unit_of(ceiling.value), "op/s");
  EXPECT_FALSE(ceiling.limit) << "the tables speak of floating-point units";
}

TEST_F(CeilingTest, ALatencyIsTheTimeOfOneAccessAndItsCycles) {
  PlannedKernel planned;
  planned.id = to_string(LatencyKey{"L2", Pattern::chase_huge, 1});
  planned.kernel = find_kernel(CeilingKind::latency, "chase-huge");
  planned.level = Level::L2;
  const Ceiling ceiling = make_ceiling(planned, {}, constant(0.25e9, 3.5e9), context_);
  EXPECT_EQ(ceiling.kind, CeilingKind::latency);
  EXPECT_EQ(unit_of(ceiling.value), "s");
  EXPECT_DOUBLE_EQ(median_of(ceiling.value), 4e-9);
  ASSERT_TRUE(ceiling.cycles);
  EXPECT_DOUBLE_EQ(ceiling.cycles->median.value(), 14.0);
  EXPECT_EQ(ceiling.level, Level::L2);
  EXPECT_EQ(ceiling.pattern, Pattern::chase_huge);
  EXPECT_FALSE(ceiling.isa);
  EXPECT_FALSE(ceiling.traffic_value);
  EXPECT_FALSE(ceiling.limit);
}

TEST_F(CeilingTest, TrafficOfAStrideIsWholeLines) {
  PlannedKernel planned = stores("L2");
  planned.kernel = find_kernel(CeilingKind::bandwidth, "stride-4");
  planned.isa = Isa::scalar;
  const LoopWork loop{.loaded_bytes = 128, .accesses = 16};
  const Ceiling ceiling = make_ceiling(planned, loop, constant(1e9), context_);
  EXPECT_DOUBLE_EQ(p90_of(ceiling.value), 1e9);
  EXPECT_DOUBLE_EQ(p90_of(*ceiling.traffic_value), 8e9);
}

TEST_F(CeilingTest, AComputeCeilingHasItsLimitAtTheProbedClock) {
  const Ceiling ceiling = make_ceiling(fma(), {}, constant(15e9), context_);
  EXPECT_EQ(ceiling.id, "compute.fp64.avx2.fma.t1");
  EXPECT_EQ(ceiling.kind, CeilingKind::compute);
  EXPECT_EQ(ceiling.precision, "fp64");
  EXPECT_EQ(ceiling.isa, Isa::avx2);
  EXPECT_EQ(ceiling.operation, Operation::fma);
  EXPECT_FALSE(ceiling.level);
  EXPECT_FALSE(ceiling.pattern);
  EXPECT_FALSE(ceiling.traffic_value);
  EXPECT_EQ(unit_of(ceiling.value), "flop/s");
  EXPECT_DOUBLE_EQ(ceiling.limit.value(), 16e9);
  EXPECT_DOUBLE_EQ(ceiling.limit_fraction.value(), 15.0 / 16.0);
  EXPECT_EQ(ceiling.source, "machines/microarchitectures.json: Test core");
  EXPECT_THAT(ceiling.flags, IsEmpty());
}

TEST_F(CeilingTest, AValueAboveItsLimitIsKeptAndFlagged) {
  EXPECT_THAT(make_ceiling(fma(), {}, constant(16.0e9), context_).flags, IsEmpty());
  const Ceiling above = make_ceiling(fma(), {}, constant(16.02e9), context_);
  EXPECT_THAT(above.flags, Contains("above-limit"));
  EXPECT_DOUBLE_EQ(p90_of(above.value), 16.02e9);
  EXPECT_GT(above.limit_fraction.value(), 1.001);
}

TEST_F(CeilingTest, AboveTheLimitByLessThanTheClockIsKnownIsAFlagOfItsOwn) {
  context_.clock_uncertainty = 0.002;
  const auto within = make_ceiling(fma(), {}, constant(16.02e9), context_).flags;
  EXPECT_THAT(within, Contains("at-limit"));
  EXPECT_THAT(within, Not(Contains("above-limit")));
  const auto beyond = make_ceiling(fma(), {}, constant(16.04e9), context_).flags;
  EXPECT_THAT(beyond, Contains("above-limit"));
  EXPECT_THAT(beyond, Not(Contains("at-limit")));
  EXPECT_THAT(make_ceiling(fma(), {}, constant(15.99e9), context_).flags, IsEmpty());
}

TEST_F(CeilingTest, TheLimitUsesTheClockOfTheFastSamples) {
  // Half of the time at 1 GHz, half at 2 GHz, always 15 flop per cycle.
  Measured boosting = constant(15e9, 1e9, 50);
  boosting.append(constant(30e9, 2e9, 50));
  EXPECT_EQ(clock_of_p90(boosting), Hertz{2e9});
  EXPECT_DOUBLE_EQ(make_ceiling(fma(), {}, boosting, context_).limit_fraction.value(), 15.0 / 16.0);
  EXPECT_EQ(clock_of_p90(constant(1.0, 7.0, 1)), Hertz{7.0});
}

TEST_F(CeilingTest, WorkPerCycleComesFromSamplesPairedWithTheirOwnClocks) {
  // 15 flop per cycle at every clock from 1 to 2 GHz: so it is at the p90, whose clock is 1.9 GHz.
  Measured drifting;
  for (int i = 0; i <= 100; ++i) {
    drifting.rates.push_back(15e9 * (1.0 + 0.01 * i));
    drifting.clocks.push_back(1e9 * (1.0 + 0.01 * i));
  }
  EXPECT_NEAR(clock_of_p90(drifting).value(), 1.9e9, 1.0);
  EXPECT_NEAR(make_ceiling(fma(), {}, drifting, context_).limit_fraction.value(), 15.0 / 16.0,
              1e-9);
  // One sample in a hundred whose clock probe was interrupted: no work per cycle out of thin air.
  drifting.clocks[95] = 0.1e9;
  EXPECT_NEAR(make_ceiling(fma(), {}, drifting, context_).limit_fraction.value(), 15.0 / 16.0,
              1e-9);
}

TEST_F(CeilingTest, ASlowModeAtAHighClockDoesNotHideTheFastModeAtALowOne) {
  // Of the fastest samples by rate most are in the mode of 14 flop per cycle.
  Measured two_modes = constant(14e9 * 1.1, 1.1e9, 60);
  two_modes.append(constant(15e9, 1e9, 40));
  EXPECT_NEAR(make_ceiling(fma(), {}, two_modes, context_).limit_fraction.value(), 15.0 / 16.0,
              1e-9);
}

TEST_F(CeilingTest, LimitsGrowWithCoresNotWithTheirThreads) {
  EXPECT_DOUBLE_EQ(make_ceiling(fma(2), {}, constant(1e9), context_).limit.value(), 32e9);
  machine_.topology = Topology{.cores = 2, .threads = 4};
  EXPECT_DOUBLE_EQ(make_ceiling(fma(4), {}, constant(1e9), context_).limit.value(), 32e9);
}

TEST_F(CeilingTest, WithoutTheoryThereIsNoLimit) {
  context_.theory = nullptr;
  const Ceiling ceiling = make_ceiling(fma(), {}, constant(99e9), context_);
  EXPECT_FALSE(ceiling.limit);
  EXPECT_FALSE(ceiling.limit_fraction);
  EXPECT_FALSE(ceiling.source);
  EXPECT_THAT(ceiling.flags, IsEmpty());
}

TEST_F(CeilingTest, BandwidthHasBothRates) {
  const Ceiling l1 = make_ceiling(stores("L1"), store_loop_, constant(30e9), context_);
  EXPECT_EQ(unit_of(l1.value), "byte/s");
  EXPECT_EQ(l1.level, Level::L1);
  EXPECT_EQ(l1.pattern, Pattern::store);
  EXPECT_FALSE(l1.operation);
  EXPECT_FALSE(l1.precision);
  EXPECT_EQ(l1.traffic_value, l1.value);
  EXPECT_DOUBLE_EQ(l1.limit.value(), 32e9);

  const Ceiling l2 = make_ceiling(stores("L2"), store_loop_, constant(30e9), context_);
  const auto& traffic = std::get<Estimate<BytesPerSecond>>(l2.traffic_value.value());
  EXPECT_DOUBLE_EQ(traffic.p90.value(), 60e9);
  EXPECT_DOUBLE_EQ(traffic.low.value(), 60e9);
  EXPECT_EQ(traffic.samples, 20U);
}

TEST_F(CeilingTest, EveryDoubtHasItsFlag) {
  Measured shaky = constant(10e9, 1e9, 9);
  shaky.rates[0] = shaky.rates[1] = shaky.rates[2] = shaky.rates[3] = shaky.rates[4] = 1e9;
  machine_.caches[2].write_allocate = WriteAllocate::when_unsaturated;
  context_.unconfirmed_levels = {"DRAM"};
  context_.huge_pages = false;
  PlannedKernel planned = stores("DRAM");
  planned.threads = 2;
  planned.flags = {"from-the-plan"};
  const auto flags = make_ceiling(planned, store_loop_, shaky, context_).flags;
  for (const char* wanted : {flag::kUnsteady, flag::kFewSamples, "from-the-plan", flag::kCacheSize,
                             flag::kWriteAllocate, flag::kNoHugePages}) {
    EXPECT_THAT(flags, Contains(wanted));
  }
  EXPECT_THAT(flags, Not(Contains(flag::kAboveLimit)));
  context_.clock_probe_holds = false;
  EXPECT_THAT(make_ceiling(fma(), {}, constant(1e9), context_).flags, Contains(flag::kClockProbe));
}

}  // namespace
}  // namespace ridge::bench
