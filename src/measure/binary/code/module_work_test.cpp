#include "measure/binary/code/module_work.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "measure/binary/code/work_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::Code;
using tests::executed_code;
using tests::one_region;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// Of code that is one function and ran from its beginning to its end.
ModuleWork work_of(const Code& code, std::uint64_t executions) {
  const ExecutedModule executed = executed_code(code, executions);
  return module_work(one_region(executed), executed).at(0);
}

std::optional<std::uint64_t> flops_of(const ModuleWork& work, WorkTerm key) {
  for (const WorkTerm& term : work.work.flops.value_or(Work{}).terms) {
    if (term.precision == key.precision && term.kind == key.kind &&
        term.width_bits == key.width_bits) {
      return term.flops;
    }
  }
  return std::nullopt;
}

TEST(ModuleWork, FlopsAreByPrecisionKindAndWidth) {
  const ModuleWork work = work_of({0xF2, 0x0F, 0x58, 0xC1,         // addsd xmm0, xmm1
                                   0xC5, 0xF4, 0x59, 0xC2,         // vmulps ymm0, ymm1, ymm2
                                   0xC4, 0xE2, 0xF5, 0xB8, 0xC2},  // vfmadd231pd ymm0, ymm1, ymm2
                                  10);
  EXPECT_EQ(flops_of(work, {Precision::fp64, OperationKind::add, 64}), 10U);
  EXPECT_EQ(flops_of(work, {Precision::fp32, OperationKind::mul, 256}), 80U);
  EXPECT_EQ(flops_of(work, {Precision::fp64, OperationKind::fma, 256}), 80U);
  EXPECT_EQ(work.work.flops->terms.size(), 3U);
  EXPECT_EQ(work.work.flops_interval, std::nullopt);
  EXPECT_EQ(work.work.intops, 0U);
  EXPECT_EQ(work.instructions, 30U);
  EXPECT_TRUE(work.notes.empty());
}

TEST(ModuleWork, BytesAreThoseOfAllOperandsImplicitOnesToo) {
  const ModuleWork work = work_of({0x50,                                // push rax
                                   0xF2, 0x0F, 0x10, 0x06,              // movsd xmm0, [rsi]
                                   0xF2, 0x0F, 0x58, 0x05, 0, 0, 0, 0,  // addsd xmm0, [rip]
                                   0x48, 0x01, 0x0F,                    // add [rdi], rcx
                                   0x66, 0x0F, 0xE7, 0x07,              // movntdq [rdi], xmm0
                                   0x0F, 0x18, 0x0E,                    // prefetcht0 [rsi]
                                   0x48, 0x8D, 0x04, 0x0E,              // lea rax, [rsi + rcx]
                                   0x58,                                // pop rax
                                   0xC3},                               // ret
                                  3);
  EXPECT_EQ(work.work.bytes_loaded, 3U * (8 + 8 + 8 + 8 + 8));
  EXPECT_EQ(work.work.bytes_stored, 3U * (8 + 8 + 16));
  EXPECT_EQ(work.work.bytes_non_temporal, 3U * 16);
  EXPECT_EQ(work.evidence.gathered, std::nullopt);
}

TEST(ModuleWork, StringInstructionsMoveAnElementEachTurn) {
  ExecutedModule executed = executed_code({0xF3, 0x48, 0xA5}, 4);  // rep movsq
  executed.instructions[0].turns = 100;
  const auto known = module_work(one_region(executed), executed).at(0);
  EXPECT_EQ(known.work.bytes_loaded, 800U);
  EXPECT_EQ(known.work.bytes_stored, 800U);
  EXPECT_EQ(known.instructions, 4U);
  EXPECT_TRUE(known.notes.empty());
  executed.instructions[0].turns = std::nullopt;
  const auto unknown = module_work(one_region(executed), executed).at(0);
  EXPECT_EQ(unknown.work.bytes_loaded, 32U);
  ASSERT_EQ(unknown.notes.size(), 1U);
  EXPECT_EQ(unknown.notes[0].code, "unknown-turns");
}

TEST(ModuleWork, IntegerOperationsAreAllOfThem) {
  const ModuleWork work = work_of({0x48, 0x83, 0xC0, 0x08,   // add rax, 8
                                   0x66, 0x0F, 0xFE, 0xC1},  // paddd xmm0, xmm1
                                  7);
  EXPECT_EQ(work.work.intops, 7U * (1 + 4));
  EXPECT_EQ(work.work.flops, Work{});
}

TEST(ModuleWork, X87StandsInOpaqueByName) {
  const ModuleWork work = work_of({0xD8, 0xC1,   // fadd st0, st1
                                   0xD8, 0xC9,   // fmul st0, st1
                                   0xDC, 0xC1},  // fadd st1, st0
                                  4);
  EXPECT_EQ(work.work.opaque,
            (std::map<std::string, std::uint64_t>{{"x87 add", 8}, {"x87 mul", 4}}));
  EXPECT_EQ(work.work.flops->total(), 0U);
}

TEST(ModuleWork, WhatTheDecoderDoesNotKnowStandsByItsBytes) {
  ExecutedModule executed;
  executed.instructions.push_back({0x1000, 2, {0x06, 0xFF}, 9, std::nullopt});
  const auto work = module_work(one_region(executed), executed).at(0);
  EXPECT_EQ(work.unknown, (std::map<std::string, std::uint64_t>{{"06ff", 9}}));
  EXPECT_EQ(work.instructions, 9U);
  ASSERT_EQ(work.notes.size(), 1U);
  EXPECT_EQ(work.notes[0].code, "unknown-instructions");
}

// vfmadd231pd zmm0 {k1}, zmm1, zmm2; vmovupd [rdi] {k1}, zmm0
const Code kMasked{0x62, 0xF2, 0xF5, 0x49, 0xB8, 0xC2, 0x62, 0xF1, 0xFD, 0x49, 0x11, 0x07};

TEST(ModuleWork, LanesThatAMaskLeftOnCount) {
  ExecutedModule executed = executed_code(kMasked, 10);
  executed.instructions[0].active_lanes = 30;
  executed.instructions[1].active_lanes = 25;
  const auto work = module_work(one_region(executed), executed).at(0);
  EXPECT_EQ(flops_of(work, {Precision::fp64, OperationKind::fma, 512}), 60U);
  EXPECT_EQ(work.work.bytes_stored, 25U * 8);
  EXPECT_EQ(work.work.flops_interval, std::nullopt);
  EXPECT_EQ(work.evidence.masked, (MaskedOperations{10, 80, 30}));
  EXPECT_TRUE(work.notes.empty());
}

TEST(ModuleWork, MasksThatNobodyLookedAtMakeAnInterval) {
  const ModuleWork work = work_of(kMasked, 10);
  EXPECT_EQ(work.work.flops->total(), 160U);
  EXPECT_EQ(work.work.flops_interval, (WorkInterval{0, 160}));
  EXPECT_EQ(work.work.bytes_stored, 640U);
  EXPECT_EQ(work.evidence.masked, std::nullopt);
  ASSERT_EQ(work.notes.size(), 2U);
  EXPECT_EQ(work.notes[0].code, "unknown-masks");
  EXPECT_EQ(work.notes[1].code, "masked-bytes");
}

TEST(ModuleWork, GathersMoveLaneByLane) {
  // vgatherdpd ymm0, [rsi + xmm1*8], ymm2
  const ModuleWork work = work_of({0xC4, 0xE2, 0xED, 0x92, 0x04, 0xCE}, 5);
  EXPECT_EQ(work.work.bytes_loaded, 5U * 32);
  EXPECT_EQ(work.evidence.gathered, (Traffic{160, 0}));
  ASSERT_EQ(work.notes.size(), 1U);
  EXPECT_EQ(work.notes[0].code, "masked-bytes");
}

TEST(ModuleWork, ThreadsSumToTheRegion) {
  ExecutedModule executed = executed_code({0xF2, 0x0F, 0x58, 0x06}, 10);  // addsd xmm0, [rsi]
  executed.by_thread = {{7}, {}, {3}};
  const auto work = module_work(one_region(executed), executed).at(0);
  ASSERT_EQ(work.threads.size(), 2U);
  EXPECT_EQ(work.threads[0], (ThreadWork{0, 7, 56, 0, std::nullopt}));
  EXPECT_EQ(work.threads[1], (ThreadWork{2, 3, 24, 0, std::nullopt}));
}

TEST(ModuleWork, SumsThatDoNotFitSaturate) {
  const ModuleWork work = work_of({0xC5, 0xF4, 0x59, 0x06, 0xC5, 0xF4, 0x59, 0x06}, kMost / 2);
  EXPECT_EQ(work.work.flops->total(), kMost);
  EXPECT_EQ(work.work.bytes_loaded, kMost);
}

TEST(ModuleWork, RegionsSumToAllInstructionsWhateverTheRangesAre) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    const ExecutedModule executed = tests::random_module(random);
    ModuleRegions regions = one_region(executed);
    const ModuleWork whole = module_work(regions, executed).at(0);
    const auto [begin, end] = regions.regions[0].ranges[0];
    const std::uint64_t cut = begin + random() % (end - begin);
    regions.regions[0].ranges = {{begin, cut}};
    regions.regions.emplace_back().ranges = {{cut, end}};
    const auto parts = module_work(regions, executed);
    EXPECT_EQ(parts[0].instructions + parts[1].instructions, whole.instructions);
    EXPECT_EQ(*parts[0].work.intops + *parts[1].work.intops, *whole.work.intops);
    EXPECT_EQ(parts[0].work.flops->total() + parts[1].work.flops->total(),
              whole.work.flops->total());
    EXPECT_EQ(*parts[0].work.bytes_loaded + *parts[1].work.bytes_loaded, *whole.work.bytes_loaded);
    EXPECT_EQ(*parts[0].work.bytes_stored + *parts[1].work.bytes_stored, *whole.work.bytes_stored);
  }
}

}  // namespace
}  // namespace ridge::measure::binary
