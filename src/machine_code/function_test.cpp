#include "machine_code/function.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine_code/decode.hpp"
#include "machine_code/dependences.hpp"
#include "machine_code/dominance.hpp"

namespace ridge::machine_code {
namespace {

using Code = std::vector<std::uint8_t>;

Function function_of(const Code& code, std::uint64_t address = 0x1000) {
  auto function = read_function(Architecture::x86_64, code, address);
  EXPECT_TRUE(function) << function.error().message;
  return function ? *std::move(function) : Function{};
}

/// `depth` loops, one inside the other: each body is a nop in front of the inner one, and ends with
/// dec rcx; jnz back to its nop.
Code nest_of(unsigned depth) {
  Code code;
  const unsigned before = depth;  // bytes of nops
  code.assign(before, 0x90);
  for (unsigned level = depth; level > 0; --level) {
    code.insert(code.end(), {0x48, 0xFF, 0xC9, 0x0F, 0x85});
    const auto back = static_cast<std::uint32_t>(static_cast<std::int32_t>(level - 1) -
                                                 static_cast<std::int32_t>(code.size() + 4));
    for (unsigned i = 0; i < 4; ++i) {
      code.push_back(static_cast<std::uint8_t>(back >> (8 * i)));
    }
  }
  code.push_back(0xC3);
  return code;
}

TEST(Blocks, EndAtBranchesAndWhereBranchesLead) {
  // 0 test edi, edi; 2 jz 7; 4 nop; 5 jmp 8; 7 nop; 8 ret
  const auto function = function_of({0x85, 0xFF, 0x74, 0x03, 0x90, 0xEB, 0x01, 0x90, 0xC3});
  ASSERT_EQ(function.blocks.size(), 4U);
  EXPECT_EQ(function.blocks[0].successors, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(function.blocks[1].successors, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(function.blocks[2].successors, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(function.blocks[3].predecessors, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(function.blocks[0].end, BlockEnd::conditional_jump);
  EXPECT_EQ(function.blocks[1].end, BlockEnd::jump);
  EXPECT_EQ(function.blocks[2].end, BlockEnd::falls_through);
  EXPECT_EQ(function.blocks[3].end, BlockEnd::return_);
  EXPECT_EQ(function.block_at(0x1007), 2U);
  EXPECT_EQ(function.block_at(0x1009), std::nullopt);
}

TEST(Blocks, ACallDoesNotEndOneUnlessNothingLiesBehindIt) {
  const auto within = function_of({0xE8, 0, 0, 0, 0, 0xC3});
  ASSERT_EQ(within.blocks.size(), 1U);
  EXPECT_TRUE(within.blocks[0].calls);
  EXPECT_EQ(within.blocks[0].end, BlockEnd::return_);
  const auto last = function_of({0x90, 0xE8, 0, 0, 0, 0});
  ASSERT_EQ(last.blocks.size(), 1U);
  EXPECT_EQ(last.blocks[0].end, BlockEnd::call_without_return);
}

TEST(Blocks, AJumpOutOfTheFunctionLeavesIt) {
  const auto function = function_of({0xE9, 0x00, 0x10, 0x00, 0x00});
  ASSERT_EQ(function.blocks.size(), 1U);
  EXPECT_EQ(function.blocks[0].end, BlockEnd::tail_jump);
  EXPECT_TRUE(function.blocks[0].leaves);
}

TEST(Blocks, AnIndirectJumpWithoutATableIsUnknown) {
  const auto function = function_of({0xFF, 0xE0, 0x90, 0xC3});  // jmp rax; nop; ret
  EXPECT_TRUE(function.has_unknown_jumps);
  ASSERT_EQ(function.blocks.size(), 2U);
  EXPECT_EQ(function.blocks[0].end, BlockEnd::unknown_jump);
  EXPECT_TRUE(function.blocks[1].entered_from_elsewhere);
}

TEST(Blocks, BytesThatAreNoInstructionAreAGap) {
  const auto function = function_of({0x90, 0x06, 0xC3});
  EXPECT_EQ(function.undecodable_bytes, 1U);
  EXPECT_EQ(function.blocks[0].end, BlockEnd::gap);
}

TEST(Loops, OfANestHaveItsDepthsAndBodies) {
  for (const unsigned depth : {1U, 2U, 3U, 7U, 20U}) {
    const auto function = function_of(nest_of(depth));
    ASSERT_EQ(function.loops.size(), depth);
    EXPECT_FALSE(function.irreducible);
    for (unsigned i = 0; i < depth; ++i) {
      const Loop& loop = function.loops[i];
      EXPECT_EQ(loop.depth, i + 1);
      EXPECT_EQ(loop.parent, i == 0 ? std::nullopt : std::optional(i - 1));
      EXPECT_EQ(function.begin_of(function.blocks[loop.header]), 0x1000U + i);
      // Of each loop inside: what lies in front of it, and its latch. The innermost is one block.
      EXPECT_EQ(loop.blocks.size(), 2 * (depth - i) - 1);
      EXPECT_EQ(loop.latches.size(), 1U);
    }
  }
}

TEST(Loops, OfTwoBackEdgesToOneHeaderAreOne) {
  // 0 nop; 1 dec ecx; 3 jz 0; 5 dec edx; 7 jnz 0; 9 ret
  const auto function = function_of({0x90, 0xFF, 0xC9, 0x74, 0xFB, 0xFF, 0xCA, 0x75, 0xF7, 0xC3});
  ASSERT_EQ(function.loops.size(), 1U);
  EXPECT_EQ(function.loops[0].latches.size(), 2U);
  EXPECT_EQ(function.loops[0].blocks.size(), 2U);
}

TEST(Loops, ACycleWithTwoEntriesIsIrreducible) {
  // 0 test edi, edi; 2 jz 5; 4 nop; 5 nop; 6 jnz 4; 8 ret
  const auto function = function_of({0x85, 0xFF, 0x74, 0x01, 0x90, 0x90, 0x75, 0xFC, 0xC3});
  EXPECT_TRUE(function.irreducible);
  EXPECT_TRUE(function.loops.empty());
}

TEST(Loops, PaddingInFrontOfOneDoesNotEnterIt) {
  // 0 jmp 3; 2 nop; 3 dec ecx; 5 jnz 3; 7 ret
  const auto function = function_of({0xEB, 0x01, 0x90, 0xFF, 0xC9, 0x75, 0xFC, 0xC3});
  ASSERT_EQ(function.loops.size(), 1U);
  EXPECT_FALSE(function.blocks[1].entered_from_elsewhere);
  const Dominance dominance(function);
  EXPECT_TRUE(dominance.dominates(0, 2));
  EXPECT_TRUE(dominance.run_equally_often(0, 3));
}

/// Dominance by its definition: without `earlier`, `later` cannot be reached.
bool reaches_without(const Function& function, std::uint32_t avoided, std::uint32_t wanted) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
    if (function.blocks[i].entered_from_elsewhere) {
      open.push_back(i);
    }
  }
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (block == avoided || !seen.insert(block).second) {
      continue;
    }
    const auto& next = function.blocks[block].successors;
    open.insert(open.end(), next.begin(), next.end());
  }
  return seen.contains(wanted);
}

/// Nops and jumps to places within them.
Code random_graph(std::mt19937& random) {
  const unsigned jumps = 2 + random() % 8;
  Code code;
  for (unsigned i = 0; i < jumps; ++i) {
    const auto target = static_cast<int>(3 * (random() % jumps));
    const int end = static_cast<int>(code.size()) + 3;
    code.push_back(0x90);
    code.push_back(random() % 3 == 0 ? 0xEB : 0x75);
    code.push_back(static_cast<std::uint8_t>(target - end));
  }
  code.push_back(0xC3);
  return code;
}

TEST(Dominance, IsThatOfItsDefinition) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const auto function = function_of(random_graph(random));
    const Dominance dominance(function);
    const auto count = static_cast<std::uint32_t>(function.blocks.size());
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        const bool reached = reaches_without(function, count, b);
        const bool wanted = a == b ? reached : reached && !reaches_without(function, a, b);
        ASSERT_EQ(dominance.dominates(a, b), wanted && reaches_without(function, count, a))
            << a << " " << b << " round " << round;
      }
    }
  }
}

TEST(Dominance, TheArmsOfABranchRunNotAsOftenAsWhatSurroundsThem) {
  const auto function = function_of({0x85, 0xFF, 0x74, 0x03, 0x90, 0xEB, 0x01, 0x90, 0xC3});
  const Dominance dominance(function);
  EXPECT_TRUE(dominance.run_equally_often(0, 3));
  EXPECT_FALSE(dominance.run_equally_often(0, 1));
  EXPECT_FALSE(dominance.run_equally_often(1, 2));
  EXPECT_EQ(dominance.immediate_dominator(3), 0U);
  EXPECT_EQ(dominance.immediate_post_dominator(1), 3U);
  EXPECT_EQ(dominance.immediate_dominator(0), std::nullopt);
}

TEST(Dominance, ALoopRunsNotAsOftenAsWhatSurroundsIt) {
  const auto function = function_of(nest_of(2));
  const Dominance dominance(function);
  // nop; nop, dec, jnz; dec, jnz; ret
  ASSERT_EQ(function.blocks.size(), 4U);
  EXPECT_TRUE(dominance.dominates(0, 1) && dominance.post_dominates(2, 0));
  EXPECT_TRUE(dominance.run_equally_often(0, 2));
  EXPECT_FALSE(dominance.run_equally_often(0, 1));
  EXPECT_FALSE(dominance.run_equally_often(2, 3));
}

TEST(Dominance, AWayBackThroughTheLoopAroundIsOneToo) {
  // 0 jnz 2; 2 jnz 0; 4 jnz 2; 6 ret: from 2 back to 0 and to 2 again without passing 4
  const auto function = function_of({0x75, 0x00, 0x75, 0xFC, 0x75, 0xFC, 0xC3});
  const Dominance dominance(function);
  ASSERT_EQ(function.blocks.size(), 4U);
  EXPECT_EQ(function.blocks[1].loop, function.blocks[2].loop);
  EXPECT_TRUE(dominance.dominates(1, 2) && dominance.post_dominates(2, 1));
  EXPECT_FALSE(dominance.run_equally_often(1, 2));
}

std::string shape(const Function& function) {
  std::string text;
  for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
    const Block& block = function.blocks[i];
    text += " " + std::to_string(i) + (block.entered_from_elsewhere ? "*" : "") + ":";
    for (const std::uint32_t successor : block.successors) {
      text += " " + std::to_string(successor);
    }
    text += block.leaves ? " out;" : ";";
  }
  return text;
}

/// Blocks run equally often in every walk that ends, if it is said that they do.
TEST(Dominance, WhatRunsEquallyOftenDoesInRandomWalks) {
  std::mt19937 random(13);
  unsigned pairs = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto function = function_of(random_graph(random));
    const Dominance dominance(function);
    std::vector<unsigned> runs(function.blocks.size(), 0);
    std::uint32_t at = 0;
    for (int step = 0; step < 2000; ++step) {
      ++runs[at];
      const Block& block = function.blocks[at];
      if (block.successors.empty()) {
        break;
      }
      at = block.successors[random() % block.successors.size()];
    }
    if (!function.blocks[at].successors.empty()) {
      continue;  // it did not end
    }
    for (std::uint32_t a = 0; a < runs.size(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const bool entered =
            function.blocks[a].entered_from_elsewhere || function.blocks[b].entered_from_elsewhere;
        if (dominance.run_equally_often(a, b)) {
          ASSERT_TRUE(runs[a] == runs[b] || (entered && a != 0 && b != 0))
              << a << " " << b << shape(function);
          ++pairs;
        }
      }
    }
  }
  EXPECT_GT(pairs, 100U);
}

TEST(Dependences, OfAnAccumulatorAreCarried) {
  // vmulsd xmm1, xmm2, [rax]; vaddsd xmm0, xmm0, xmm1; add rax, 8
  const auto body =
      decode(Architecture::x86_64,
             Code{0xC5, 0xEB, 0x59, 0x08, 0xC5, 0xFB, 0x58, 0xC1, 0x48, 0x83, 0xC0, 0x08}, 0);
  ASSERT_TRUE(body);
  ASSERT_EQ(body->size(), 3U);
  const Register rax{RegisterClass::general, 0};
  const Register xmm0{RegisterClass::vector, 0};
  const Register xmm1{RegisterClass::vector, 1};
  const std::vector<Dependence> expected{{2, 0, rax, true, true},
                                         {1, 1, xmm0, true, false},
                                         {0, 1, xmm1, false, false},
                                         {2, 2, rax, true, false}};
  EXPECT_EQ(dependences(*body), expected);
}

TEST(Dependences, OfFlagsAreReadByTheJump) {
  // dec rcx; jnz back
  const auto body = decode(Architecture::x86_64, Code{0x48, 0xFF, 0xC9, 0x75, 0xFB}, 0);
  ASSERT_TRUE(body);
  const auto found = dependences(*body);
  const bool by_flags = std::any_of(found.begin(), found.end(), [](const Dependence& one) {
    return one.writer == 0 && one.reader == 1 && !one.carried &&
           one.through.kind() == RegisterClass::flags;
  });
  EXPECT_TRUE(by_flags);
}

TEST(Functions, OfAnyBytesHoldTogether) {
  std::mt19937 random(17);
  for (int round = 0; round < 2000; ++round) {
    Code code(1 + random() % 120);
    for (auto& byte : code) {
      byte = static_cast<std::uint8_t>(random() % 4 == 0 ? 0x75 : random());
    }
    const auto function = function_of(code);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
      const Block& block = function.blocks[i];
      ASSERT_EQ(block.first, next);
      ASSERT_GE(block.count, 1U);
      next = block.first + block.count;
      for (const std::uint32_t successor : block.successors) {
        const auto& back = function.blocks.at(successor).predecessors;
        ASSERT_TRUE(std::find(back.begin(), back.end(), i) != back.end());
      }
    }
    ASSERT_EQ(next, function.instructions.size());
    for (std::uint32_t i = 0; i < function.loops.size(); ++i) {
      const Loop& loop = function.loops[i];
      ASSERT_TRUE(!loop.parent || *loop.parent < i);
      ASSERT_TRUE(std::binary_search(loop.blocks.begin(), loop.blocks.end(), loop.header));
    }
  }
}

}  // namespace
}  // namespace ridge::machine_code
