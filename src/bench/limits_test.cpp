#include "bench/limits.hpp"

#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

using testing_fixture::small;

PlannedKernel compute(std::string_view operation, Isa isa, Precision precision) {
  PlannedKernel planned;
  planned.kernel = find_kernel(CeilingKind::compute, operation);
  planned.isa = isa;
  planned.precision = precision;
  return planned;
}

PlannedKernel bandwidth(std::string_view pattern, Isa isa, Level level) {
  PlannedKernel planned;
  planned.kernel = find_kernel(CeilingKind::bandwidth, pattern);
  planned.isa = isa;
  planned.level = std::move(level);
  return planned;
}

std::optional<double> compute_limit(const Microarchitecture& theory, std::string_view operation,
                                    Isa isa = Isa::avx2, Precision precision = Precision::fp64) {
  return limit_per_cycle(theory, compute(operation, isa, precision), {});
}

TEST(Limits, ComputeIsUnitsTimesLanesTimesFlops) {
  const Microarchitecture theory = testing_fixture::theory();
  EXPECT_EQ(compute_limit(theory, "fma"), 16.0);
  EXPECT_EQ(compute_limit(theory, "add"), 4.0);
  EXPECT_EQ(compute_limit(theory, "mul"), 8.0);
  EXPECT_EQ(compute_limit(theory, "fma", Isa::avx2, Precision::fp32), 32.0);
  EXPECT_EQ(compute_limit(theory, "fma", Isa::scalar), 4.0);
  EXPECT_EQ(compute_limit(theory, "fma", Isa::scalar, Precision::fp32), 4.0);
}

TEST(Limits, AMixTakesItsSourcedRateOrTheSumOfTimesOnSharedPipes) {
  Microarchitecture theory = testing_fixture::theory();
  EXPECT_FALSE(compute_limit(theory, "fma+add"));  // pipes of their own, no source for the mix
  theory.pipe_groups = {{Operation::add, Operation::mul, Operation::fma}};
  EXPECT_DOUBLE_EQ(compute_limit(theory, "fma+add").value(), 8.0);  // 1 / (1/2 + 1/1) pairs
  theory.isas[0].fma_add_units = 1.5;
  EXPECT_DOUBLE_EQ(compute_limit(theory, "fma+add").value(), 9.0);
}

TEST(Limits, WhatNoSourceStatesIsAbsent) {
  const Microarchitecture theory = testing_fixture::theory();
  EXPECT_FALSE(compute_limit(theory, "fma", Isa::avx512));
  EXPECT_FALSE(compute_limit(theory, "add", Isa::scalar));
  EXPECT_FALSE(compute_limit(theory, "fma+add", Isa::scalar));
  EXPECT_FALSE(limit_per_cycle(theory, bandwidth("load", Isa::scalar, "L1"), {8, 0, 0}));
  EXPECT_FALSE(limit_per_cycle(theory, bandwidth("load", Isa::avx2, "DRAM"), {8, 0, 0}));
  EXPECT_FALSE(limit_per_cycle(theory, bandwidth("store", Isa::avx2, "L3"), {0, 8, 8}));
}

TEST(Limits, L1TakesTheSlowerOfLoadsAndStores) {
  Microarchitecture theory = testing_fixture::theory();
  const auto limit = [&](std::string_view pattern, BoundaryBytes bytes) {
    return limit_per_cycle(theory, bandwidth(pattern, Isa::avx2, "L1"), bytes);
  };
  EXPECT_EQ(limit("load", {8, 0, 0}), 64.0);
  EXPECT_EQ(limit("store", {0, 8, 0}), 32.0);
  EXPECT_EQ(limit("copy", {8, 8, 0}), 64.0);    // the store is slower
  EXPECT_EQ(limit("triad", {16, 8, 0}), 96.0);  // both take one cycle per 32 bytes
  theory.isas[0].copy_bytes_per_cycle = 48.0;
  EXPECT_EQ(limit("copy", {8, 8, 0}), 48.0);
  EXPECT_EQ(limit("triad", {16, 8, 0}), 96.0);
}

TEST(Limits, BeyondL1TheWriteAllocateIsReadToo) {
  const Microarchitecture theory = testing_fixture::theory();
  const auto limit = [&](std::string_view pattern, BoundaryBytes bytes) {
    return limit_per_cycle(theory, bandwidth(pattern, Isa::avx2, "L2"), bytes);
  };
  EXPECT_EQ(limit("load", {8, 0, 0}), 64.0);
  EXPECT_EQ(limit("store", {0, 8, 8}), 32.0);
  EXPECT_EQ(limit("copy", {8, 8, 8}), 64.0);    // 2 lines read in 1 / 32, 1 written in 1 / 32
  EXPECT_EQ(limit("triad", {16, 8, 8}), 64.0);  // 3 lines read for 3 asked
}

TEST(Limits, TrafficFactorsAreThoseOfTheContract) {
  const Machine machine = small();
  const auto factor = [&](Level level, double loaded, double stored) {
    const BoundaryBytes bytes = boundary_bytes(machine, level, 1, loaded, stored).bytes;
    return bytes.traffic() / bytes.asked();
  };
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    EXPECT_DOUBLE_EQ(factor(level, 8, 0), 1.0);
    EXPECT_DOUBLE_EQ(factor(level, 0, 8), 2.0);
    EXPECT_DOUBLE_EQ(factor(level, 8, 8), 1.5);
    EXPECT_DOUBLE_EQ(factor(level, 16, 8), 4.0 / 3.0);
  }
  EXPECT_DOUBLE_EQ(factor("L1", 0, 8), 1.0);
  EXPECT_DOUBLE_EQ(factor("L1", 16, 8), 1.0);
}

/// Bytes of a kernel's loop at a level of `small()`: (asked, read, traffic).
std::vector<double> bytes_of(std::string_view pattern, Level level, const LoopWork& loop) {
  const BoundaryBytes bytes =
      boundary_bytes(small(), level, 1, *find_kernel(CeilingKind::bandwidth, pattern), loop).bytes;
  return {bytes.asked(), bytes.read(), bytes.traffic()};
}

TEST(Limits, WhatIsAskedForAndWhatCrossesTheBoundaryAreTwoNumbers) {
  using Bytes = std::vector<double>;
  const LoopWork both{.loaded_bytes = 64, .stored_bytes = 64};
  const LoopWork stores{.stored_bytes = 64};
  EXPECT_EQ(bytes_of("copy", "DRAM", both), (Bytes{128, 128, 192}));
  EXPECT_EQ(bytes_of("update", "DRAM", both), (Bytes{128, 64, 128})) << "the line is there";
  EXPECT_EQ(bytes_of("nt-copy", "DRAM", both), (Bytes{128, 64, 128}));
  EXPECT_EQ(bytes_of("nt-store", "DRAM", stores), (Bytes{64, 0, 64}));
  EXPECT_EQ(bytes_of("store", "DRAM", stores), (Bytes{64, 64, 128}));
  const LoopWork two{.loaded_bytes = 16};
  EXPECT_EQ(bytes_of("stride-8", "L1", two), (Bytes{16, 16, 16}));
  EXPECT_EQ(bytes_of("stride-8", "L2", two), (Bytes{16, 128, 128})) << "two lines";
  const LoopWork gathered{.loaded_bytes = 24};
  EXPECT_EQ(bytes_of("gather", "L3", gathered), (Bytes{24, 136, 136})) << "two lines, two indices";
  EXPECT_EQ(bytes_of("gather", "L1", gathered), (Bytes{24, 24, 24}));
}

TEST(Limits, DivisionRootsAndChainsGoByTheirCycles) {
  Microarchitecture theory = testing_fixture::theory();
  for (const char* operation : {"div", "sqrt", "fma-chain", "add-chain"}) {
    EXPECT_FALSE(compute_limit(theory, operation)) << "no source";
  }
  theory.isas[0].div_cycles = {.fp64 = 5.0, .fp32 = 4.0};
  theory.isas[0].sqrt_cycles = {.fp64 = 8.0, .fp32 = {}};
  theory.isas[0].latency_cycles = {.fma = 4.0, .add = 3.0, .mul = {}};
  EXPECT_DOUBLE_EQ(compute_limit(theory, "div").value(), 4.0 / 5.0);
  EXPECT_DOUBLE_EQ(compute_limit(theory, "div", Isa::avx2, Precision::fp32).value(), 2.0);
  EXPECT_DOUBLE_EQ(compute_limit(theory, "sqrt").value(), 0.5);
  EXPECT_FALSE(compute_limit(theory, "sqrt", Isa::avx2, Precision::fp32));
  EXPECT_DOUBLE_EQ(compute_limit(theory, "fma-chain").value(), 2.0);
  EXPECT_DOUBLE_EQ(compute_limit(theory, "add-chain").value(), 4.0 / 3.0);
  EXPECT_EQ(compute_limit(theory, "fma"), 16.0) << "a chain's latency is not its business";
}

TEST(Limits, TheOldEncodingTakesTheLimitsOfTheNewOneAndHalvesHaveNone) {
  Microarchitecture theory = testing_fixture::theory();
  EXPECT_FALSE(compute_limit(theory, "add", Isa::sse_legacy));
  theory.isas.push_back({.isa = Isa::sse, .add_units = 2.0, .mul_units = 2.0});
  EXPECT_EQ(compute_limit(theory, "add", Isa::sse_legacy), 4.0);
  EXPECT_EQ(compute_limit(theory, "add", Isa::sse_legacy, Precision::fp32), 8.0);
  EXPECT_FALSE(compute_limit(theory, "mul+add", Isa::sse)) << "pipes of their own, no source";
  theory.pipe_groups = {{Operation::add, Operation::mul, Operation::fma}};
  EXPECT_EQ(compute_limit(theory, "mul+add", Isa::sse), 4.0);
  EXPECT_FALSE(compute_limit(theory, "fma", Isa::avx2, Precision::fp16));
}

TEST(Limits, ALatencyHasNoLimitFromTheTables) {
  PlannedKernel planned = bandwidth("load", Isa::scalar, "L2");
  planned.kernel = find_kernel(CeilingKind::latency, "chase-4k");
  EXPECT_FALSE(limit_per_cycle(testing_fixture::theory(), planned, {8, 0, 0}));
}

TEST(Limits, ThePolicyOfTheCacheAboveDecides) {
  Machine machine = small();
  machine.caches[2].write_allocate = WriteAllocate::never;
  EXPECT_EQ(boundary_bytes(machine, "DRAM", 2, 0, 8).bytes.allocated, 0.0);
  EXPECT_EQ(boundary_bytes(machine, "L3", 2, 0, 8).bytes.allocated, 8.0);
  machine.caches[2].write_allocate = WriteAllocate::when_unsaturated;
  EXPECT_TRUE(boundary_bytes(machine, "DRAM", 1, 0, 8).certain);
  EXPECT_TRUE(boundary_bytes(machine, "DRAM", 2, 8, 0).certain);
  EXPECT_FALSE(boundary_bytes(machine, "DRAM", 2, 0, 8).certain);
  machine.caches.clear();
  EXPECT_EQ(boundary_bytes(machine, "DRAM", 2, 0, 8).bytes.allocated, 0.0);
}

TEST(Limits, TheSourceNamesTheTableAndTheCore) {
  EXPECT_EQ(limit_source(testing_fixture::theory()), "machines/microarchitectures.json: Test core");
}

}  // namespace
}  // namespace ridge::bench
