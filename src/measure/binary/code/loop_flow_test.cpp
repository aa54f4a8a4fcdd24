#include "measure/binary/code/loop_flow.hpp"

#include <gtest/gtest.h>

#include "measure/binary/code/work_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::Code;
using tests::kCodeAddress;

struct Flow {
  machine_code::Function function;
  ExecutedModule executed;
};

Flow flow_of(const Code& code, const std::vector<std::uint64_t>& executions) {
  Flow made{tests::function_of(code), {}};
  made.executed = tests::executed_blocks(code, made.function, executions);
  return made;
}

TEST(LoopFlow, ALoopBehindAStraightWayInIsEnteredThatOften) {
  // 0 nop; 1 dec rcx; 4 jnz 1; 6 ret
  const Flow flow = flow_of({0x90, 0x48, 0xFF, 0xC9, 0x75, 0xFB, 0xC3}, {5, 500, 5});
  ASSERT_EQ(flow.function.loops.size(), 1U);
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 0), 5U);
  EXPECT_EQ(loop_turns(flow.executed, flow.function, 0), 500U);
  EXPECT_TRUE(is_innermost(flow.function, 0));
}

TEST(LoopFlow, AWayRoundTheLoopIsNoEntry) {
  // 0 test ecx, ecx; 2 jz 9; 4 dec rcx; 7 jnz 4; 9 ret
  const Flow flow =
      flow_of({0x85, 0xC9, 0x74, 0x05, 0x48, 0xFF, 0xC9, 0x75, 0xFB, 0xC3}, {7, 30, 7});
  ASSERT_EQ(flow.function.loops.size(), 1U);
  // Neither the way in nor that back is told apart from its other: the return has two ways in.
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 0), std::nullopt);
}

TEST(LoopFlow, ALoopThatTestsAtItsBeginHasNoTurnsOfItsHeader) {
  // 0 test ecx, ecx; 2 jz 9; 4 dec rcx; 7 jmp 0; 9 ret
  const Flow flow =
      flow_of({0x85, 0xC9, 0x74, 0x05, 0x48, 0xFF, 0xC9, 0xEB, 0xF7, 0xC3}, {101, 100, 1});
  ASSERT_EQ(flow.function.loops.size(), 1U);
  EXPECT_EQ(loop_turns(flow.executed, flow.function, 0), std::nullopt);
  // The function begins with it: what did not come from its end came from outside.
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 0), 1U);
  EXPECT_EQ(function_entries(flow.executed, std::span(&flow.function, 1),
                             std::vector<std::uint64_t>{kCodeAddress}),
            1U);
}

TEST(LoopFlow, FunctionsAreEnteredAtAllOfTheirEntries) {
  const Flow flow = flow_of({0x90, 0xC3}, {4});
  EXPECT_EQ(function_entries(flow.executed, std::span(&flow.function, 1),
                             std::vector<std::uint64_t>{kCodeAddress, kCodeAddress + 1, 0x9999}),
            8U);
}

TEST(LoopFlow, AnOuterLoopIsNotInnermost) {
  // 0 nop; 1 dec rcx; 4 jnz 1; 6 dec rdx; 9 jnz 0; 11 ret
  const Flow flow = flow_of(
      {0x90, 0x48, 0xFF, 0xC9, 0x75, 0xFB, 0x48, 0xFF, 0xCA, 0x75, 0xF5, 0xC3}, {10, 100, 10, 1});
  ASSERT_EQ(flow.function.loops.size(), 2U);
  EXPECT_FALSE(is_innermost(flow.function, 0));
  EXPECT_TRUE(is_innermost(flow.function, 1));
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 0), 1U);
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 1), 10U);
}

TEST(LoopFlow, UnknownJumpsMakeEntriesUnknown) {
  // 0 nop; 1 dec rcx; 4 jnz 1; 6 jmp rax
  const Flow flow = flow_of({0x90, 0x48, 0xFF, 0xC9, 0x75, 0xFB, 0xFF, 0xE0}, {5, 500, 5});
  ASSERT_EQ(flow.function.loops.size(), 1U);
  EXPECT_EQ(loop_entries(flow.executed, flow.function, 0), std::nullopt);
}

}  // namespace
}  // namespace ridge::measure::binary
