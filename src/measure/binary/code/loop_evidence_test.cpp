#include "measure/binary/code/loop_evidence.hpp"

#include <gtest/gtest.h>

#include "measure/binary/code/loop_code.hpp"
#include "measure/binary/code/module_work.hpp"
#include "measure/binary/code/register_steps.hpp"
#include "measure/binary/code/work_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::Code;

constexpr std::uint64_t kTurns = 100;

/// nop, the body with a jump back to its begin, ret: entered twice.
struct Loop {
  explicit Loop(Code body) {
    Code code{0x90};
    body.insert(body.end(), {0x48, 0xFF, 0xC9, 0x75});  // dec rcx; jnz
    body.push_back(static_cast<std::uint8_t>(-static_cast<int>(body.size()) - 1));
    code.insert(code.end(), body.begin(), body.end());
    code.push_back(0xC3);
    regions.functions.push_back(tests::function_of(code));
    const auto& function = regions.functions[0];
    executed = tests::executed_blocks(code, function, {2, kTurns, 2});
    ModuleRegion& region = regions.regions.emplace_back();
    region.kind = RegionKind::loop;
    region.loops = {{0, 0}};
    const auto& block = function.blocks.at(1);
    region.ranges = {{function.begin_of(block), function.instructions_of(block).back().next()}};
  }
  [[nodiscard]] ModuleWork work() const { return module_work(regions, executed).at(0); }
  [[nodiscard]] RegionEvidence evidence() const { return work().evidence; }

  ModuleRegions regions;
  ExecutedModule executed;
};

AccessTerm access(AccessPattern pattern, bool write, std::uint64_t bytes_each,
                  std::optional<std::uint32_t> stride = std::nullopt) {
  return {pattern, write, stride, bytes_each * kTurns};
}

TEST(RegisterUpdates, AreReadOfTheirEncodings) {
  const auto update = [](const Code& code) {
    return register_update(tests::executed_instruction(code, tests::kCodeAddress, code.size(), 1));
  };
  const machine_code::Register rax{machine_code::RegisterClass::general, 0};
  const machine_code::Register rcx{machine_code::RegisterClass::general, 1};
  const machine_code::Register r9{machine_code::RegisterClass::general, 9};
  EXPECT_EQ(update({0x48, 0x83, 0xC0, 0x08}), (RegisterUpdate{rax, rax, {}, 1, 8}));
  EXPECT_EQ(update({0x48, 0x83, 0xE8, 0x08}), (RegisterUpdate{rax, rax, {}, 1, -8}));
  EXPECT_EQ(update({0x49, 0x81, 0xC1, 0, 1, 0, 0}), (RegisterUpdate{r9, r9, {}, 1, 256}));
  EXPECT_EQ(update({0x48, 0x83, 0xE8, 0x80}), (RegisterUpdate{rax, rax, {}, 1, 128}));
  EXPECT_EQ(update({0x48, 0x05, 0, 1, 0, 0}), (RegisterUpdate{rax, rax, {}, 1, 256}));
  EXPECT_EQ(update({0x49, 0xFF, 0xC9}), (RegisterUpdate{r9, r9, {}, 1, -1}));
  // lea rax, [rcx + r9*4 - 16]
  EXPECT_EQ(update({0x4A, 0x8D, 0x44, 0x89, 0xF0}), (RegisterUpdate{rax, rcx, r9, 4, -16}));
  EXPECT_EQ(update({0x4C, 0x89, 0xC8}), (RegisterUpdate{rax, r9, {}, 1, 0}));
  EXPECT_EQ(update({0x48, 0x83, 0xC8, 0x08}), std::nullopt);        // or rax, 8
  EXPECT_EQ(update({0x48, 0x8B, 0x00}), std::nullopt);              // mov rax, [rax]
  EXPECT_EQ(update({0x48, 0x8D, 0x05, 0, 0, 0, 0}), std::nullopt);  // lea rax, [rip]
  EXPECT_EQ(update({0x90}), std::nullopt);
}

TEST(LoopEvidence, ElementsOneBehindTheOtherAreUnit) {
  // addsd xmm0, [rsi]; movsd [rdi + rax*8], xmm1; add rsi, 8; inc rax
  const Loop loop({0xF2, 0x0F, 0x58, 0x06, 0xF2, 0x0F, 0x11, 0x0C, 0xC7, 0x48, 0x83, 0xC6, 0x08,
                   0x48, 0xFF, 0xC0});
  const auto work = loop.work();
  EXPECT_EQ(work.evidence.accesses, (std::vector{access(AccessPattern::unit, false, 8),
                                                 access(AccessPattern::unit, true, 8)}));
  EXPECT_EQ(work.work.iterations, kTurns);
  EXPECT_EQ(work.work.entries, 2U);
}

TEST(LoopEvidence, UnrolledAccessesAreUnitButTurnsNoIterations) {
  // addsd xmm0, [rsi]; addsd xmm0, [rsi + 8]; add rsi, 16
  const Loop loop({0xF2, 0x0F, 0x58, 0x06, 0xF2, 0x0F, 0x58, 0x46, 0x08, 0x48, 0x83, 0xC6, 0x10});
  const auto work = loop.work();
  EXPECT_EQ(work.evidence.accesses, (std::vector{access(AccessPattern::unit, false, 16)}));
  EXPECT_EQ(work.work.iterations, std::nullopt);
  EXPECT_EQ(work.evidence.chain,
            (std::vector{ChainTerm{ChainOperation::add, Precision::fp64, true, 2 * kTurns}}));
}

TEST(LoopEvidence, GapsMakeAStride) {
  // movsd xmm0, [rsi]; add rsi, 24
  EXPECT_EQ(Loop({0xF2, 0x0F, 0x10, 0x06, 0x48, 0x83, 0xC6, 0x18}).evidence().accesses,
            (std::vector{access(AccessPattern::constant, false, 8, 24)}));
  // movsd xmm0, [rsi]; movsd xmm0, [rsi + 32]; add rsi, 64: every fourth, unrolled
  EXPECT_EQ(Loop({0xF2, 0x0F, 0x10, 0x06, 0xF2, 0x0F, 0x10, 0x46, 0x20, 0x48, 0x83, 0xC6, 0x40})
                .evidence()
                .accesses,
            (std::vector{access(AccessPattern::constant, false, 16, 32)}));
}

TEST(LoopEvidence, BackwardsIsAStepToo) {
  // movsd xmm0, [rsi]; sub rsi, 8
  EXPECT_EQ(Loop({0xF2, 0x0F, 0x10, 0x06, 0x48, 0x83, 0xEE, 0x08}).evidence().accesses,
            (std::vector{access(AccessPattern::unit, false, 8)}));
}

TEST(LoopEvidence, WhatKeepsItsAddressIsInvariant) {
  // movsd xmm0, [rsi]; movsd xmm1, [rip]
  EXPECT_EQ(Loop({0xF2, 0x0F, 0x10, 0x06, 0xF2, 0x0F, 0x10, 0x0D, 0, 0, 0, 0}).evidence().accesses,
            (std::vector{access(AccessPattern::invariant, false, 16)}));
}

TEST(LoopEvidence, AddressesOfLoadedValuesAreIndirect) {
  // movsxd rax, dword [rsi]; movsd xmm0, [rdi + rax*8]; add rsi, 4
  const auto work =
      Loop({0x48, 0x63, 0x06, 0xF2, 0x0F, 0x10, 0x04, 0xC7, 0x48, 0x83, 0xC6, 0x04}).work();
  EXPECT_EQ(work.evidence.accesses, (std::vector{access(AccessPattern::unit, false, 4),
                                                 access(AccessPattern::indirect, false, 8)}));
  EXPECT_EQ(work.work.iterations, kTurns);
}

TEST(LoopEvidence, PointersThatAreReadAnewSayNothing) {
  // mov rax, [rip]; movsd xmm0, [rax]
  EXPECT_TRUE(
      Loop({0x48, 0x8B, 0x05, 0, 0, 0, 0, 0xF2, 0x0F, 0x10, 0x00}).evidence().accesses.empty());
}

TEST(LoopEvidence, ComputedAddressesSayNothing) {
  // movsd xmm0, [rsi]; imul rsi, rsi
  EXPECT_TRUE(Loop({0xF2, 0x0F, 0x10, 0x06, 0x48, 0x0F, 0xAF, 0xF6}).evidence().accesses.empty());
}

TEST(LoopEvidence, AListIsAChainOfLoads) {
  const auto work = Loop({0x48, 0x8B, 0x40, 0x08}).work();  // mov rax, [rax + 8]
  EXPECT_EQ(work.evidence.accesses, (std::vector{access(AccessPattern::indirect, false, 8)}));
  EXPECT_EQ(work.evidence.chain,
            (std::vector{ChainTerm{ChainOperation::load, Precision::fp64, false, kTurns}}));
  EXPECT_EQ(work.work.iterations, kTurns);
}

TEST(LoopEvidence, SumsAndProductsAreReductionsAndRecurrencesAreNone) {
  const auto chain_of = [](const Code& body) { return Loop(body).evidence().chain; };
  const auto term = [](ChainOperation operation, bool reduction) {
    return ChainTerm{operation, Precision::fp64, reduction, kTurns};
  };
  using Terms = std::vector<ChainTerm>;
  // addsd xmm0, xmm1
  EXPECT_EQ(chain_of({0xF2, 0x0F, 0x58, 0xC1}), (Terms{term(ChainOperation::add, true)}));
  // vfmadd231pd ymm0, ymm1, ymm2: into the sum; vfmadd213pd: Horner
  EXPECT_EQ(chain_of({0xC4, 0xE2, 0xF5, 0xB8, 0xC2}), (Terms{term(ChainOperation::fma, true)}));
  EXPECT_EQ(chain_of({0xC4, 0xE2, 0xF5, 0xA8, 0xC2}), (Terms{term(ChainOperation::fma, false)}));
  // mulsd xmm0, xmm1; addsd xmm0, xmm2
  EXPECT_EQ(chain_of({0xF2, 0x0F, 0x59, 0xC1, 0xF2, 0x0F, 0x58, 0xC2}),
            (Terms{term(ChainOperation::mul, false), term(ChainOperation::add, false)}));
  // divsd xmm0, xmm1
  EXPECT_EQ(chain_of({0xF2, 0x0F, 0x5E, 0xC1}), (Terms{term(ChainOperation::div, false)}));
}

TEST(LoopEvidence, SeveralAccumulatorsAreAsLongAsOne) {
  // addsd xmm0, xmm2; addsd xmm1, xmm2
  EXPECT_EQ(Loop({0xF2, 0x0F, 0x58, 0xC2, 0xF2, 0x0F, 0x58, 0xCA}).evidence().chain,
            (std::vector{ChainTerm{ChainOperation::add, Precision::fp64, true, kTurns}}));
}

TEST(LoopEvidence, WhatEachTurnLoadsAnewIsNoChain) {
  // movsd xmm0, [rsi]; mulsd xmm0, xmm1; sqrtsd xmm2, xmm1; movsd [rdi], xmm0
  EXPECT_TRUE(Loop({0xF2, 0x0F, 0x10, 0x06, 0xF2, 0x0F, 0x59, 0xC1, 0xF2, 0x0F, 0x51, 0xD1, 0xF2,
                    0x0F, 0x11, 0x07})
                  .evidence()
                  .chain.empty());
}

TEST(LoopEvidence, VectorsAndVersionsHideTheIterations) {
  // addpd xmm0, [rsi]; add rsi, 16
  Loop packed({0x66, 0x0F, 0x58, 0x06, 0x48, 0x83, 0xC6, 0x10});
  EXPECT_EQ(packed.work().work.iterations, std::nullopt);
  Loop versions({0xF2, 0x0F, 0x58, 0x06, 0x48, 0x83, 0xC6, 0x08});
  versions.regions.regions[0].loops.push_back({0, 0});
  EXPECT_EQ(versions.work().work.iterations, std::nullopt);
  EXPECT_EQ(versions.work().work.entries, std::nullopt);
}

TEST(LoopEvidence, ThreadsOfTheFunctionAroundTookPart) {
  Loop loop({0xF2, 0x0F, 0x58, 0x06, 0x48, 0x83, 0xC6, 0x08});
  ModuleRegion function;
  function.ranges = {{tests::kCodeAddress, tests::kCodeAddress + 1}};
  loop.regions.regions.insert(loop.regions.regions.begin(), function);
  loop.regions.regions[1].parent = 0;
  const std::size_t count = loop.executed.instructions.size();
  loop.executed.by_thread = {std::vector<std::uint64_t>(count, 60), {1}};
  const auto threads = module_work(loop.regions, loop.executed).at(1).threads;
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0].iterations, 60U);
  EXPECT_EQ(threads[0].flops, 60U);
  EXPECT_EQ(threads[1], (ThreadWork{1, 0, 0, 0, std::nullopt}));
}

}  // namespace
}  // namespace ridge::measure::binary
