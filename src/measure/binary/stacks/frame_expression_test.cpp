#include "measure/binary/stacks/frame_expression.hpp"

#include <dwarf.h>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kStack = 0x7000;
const std::vector<std::uint64_t> kWords{11, 22, 33};
const StackMemory kMemory{kStack, kWords};

FrameRegisters registers() {
  FrameRegisters all;
  all[kStackPointer] = kStack;
  all[kInstructionPointer] = 0x401b;
  return all;
}

std::optional<FrameValue> value_of(const std::vector<Dwarf_Op>& operations,
                                   std::optional<std::uint64_t> cfa = std::nullopt) {
  return evaluate(operations, registers(), kMemory, cfa);
}

TEST(FrameExpression, ARegisterAndAnOffsetAreAnAddress) {
  const auto found = value_of({{.atom = DW_OP_breg7, .number = 16}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, kStack + 16);
  EXPECT_TRUE(found->is_address);
}

TEST(FrameExpression, AValueIsNoAddress) {
  const auto found =
      value_of({{.atom = DW_OP_call_frame_cfa}, {.atom = DW_OP_stack_value}}, 0x7010);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, 0x7010U);
  EXPECT_FALSE(found->is_address);
}

// What linkers write for the stubs of the procedure linkage table: 8 more behind the eleventh byte.
TEST(FrameExpression, StubsOfThePltAreUnderstood) {
  std::vector<Dwarf_Op> stub{{.atom = DW_OP_breg7, .number = 8},
                             {.atom = DW_OP_breg16},
                             {.atom = DW_OP_lit15},
                             {.atom = DW_OP_and},
                             {.atom = DW_OP_lit11},
                             {.atom = DW_OP_ge},
                             {.atom = DW_OP_lit3},
                             {.atom = DW_OP_shl},
                             {.atom = DW_OP_plus}};
  EXPECT_EQ(value_of(stub).value_or(FrameValue{}).value, kStack + 16);
  stub[4].atom = DW_OP_lit12;
  EXPECT_EQ(value_of(stub).value_or(FrameValue{}).value, kStack + 8);
}

TEST(FrameExpression, MemoryThatWasCopiedIsRead) {
  EXPECT_EQ(value_of({{.atom = DW_OP_breg7, .number = 8}, {.atom = DW_OP_deref}})
                .value_or(FrameValue{})
                .value,
            22U);
}

TEST(FrameExpression, WhatIsNotKnownHasNoValue) {
  EXPECT_FALSE(value_of({})) << "an empty stack";
  EXPECT_FALSE(value_of({{.atom = DW_OP_breg0}})) << "a lost register";
  EXPECT_FALSE(value_of({{.atom = DW_OP_bregx, .number = 99}})) << "no register";
  EXPECT_FALSE(value_of({{.atom = DW_OP_call_frame_cfa}})) << "no frame";
  EXPECT_FALSE(value_of({{.atom = DW_OP_plus}})) << "nothing to add";
  EXPECT_FALSE(value_of({{.atom = DW_OP_breg7, .number = 4}, {.atom = DW_OP_deref}}))
      << "between words";
  EXPECT_FALSE(value_of({{.atom = DW_OP_breg7, .number = 24}, {.atom = DW_OP_deref}}))
      << "behind the copy";
  EXPECT_FALSE(value_of({{.atom = DW_OP_lit1}, {.atom = DW_OP_lit1}, {.atom = DW_OP_xor}}))
      << "an operation that no frame has";
  EXPECT_FALSE(value_of(std::vector<Dwarf_Op>(1000, {.atom = DW_OP_lit1}))) << "too long";
}

}  // namespace
}  // namespace ridge::measure::binary
