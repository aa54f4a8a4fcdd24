#include "measure/binary/stacks/frame_prologue.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kRbx = 3;
constexpr std::size_t kRbp = 6;
constexpr std::size_t kR12 = 12;

// As kernels of linear algebra begin: registers put aside, an aligned block below them.
const Bytes kAligned{0x48, 0x83, 0xec, 0x60,                    // sub $0x60, %rsp
                     0x48, 0x89, 0x1c, 0x24,                    // mov %rbx, (%rsp)
                     0x48, 0x89, 0x6c, 0x24, 0x08,              // mov %rbp, 8(%rsp)
                     0x48, 0x89, 0xe3,                          // mov %rsp, %rbx
                     0x48, 0x81, 0xec, 0x80, 0x70, 0x00, 0x00,  // sub $0x7080, %rsp
                     0x48, 0x81, 0xe4, 0x00, 0xf0, 0xff, 0xff,  // and $-4096, %rsp
                     0x31, 0xc0};                               // xor %eax, %eax

TEST(FramePrologue, AFrameThatIsAlignedIsFoundByTheCopyOfItsPointer) {
  const FramePrologue found = frame_prologue(kAligned);
  ASSERT_EQ(found.pointers.size(), 1U) << "the stack pointer is aligned: where to is not known";
  EXPECT_EQ(found.pointers[0], std::pair(kRbx, std::int64_t{-0x60}));
  EXPECT_EQ(found.saved, (std::map<std::size_t, std::int64_t>{{kRbx, -0x60}, {kRbp, -0x58}}));
}

TEST(FramePrologue, PushesAreCounted) {
  const Bytes code{0x53,                    // push %rbx
                   0x41, 0x54,              // push %r12
                   0x48, 0x83, 0xec, 0x20,  // sub $0x20, %rsp
                   0x31, 0xc0};             // xor %eax, %eax
  const FramePrologue found = frame_prologue(code);
  ASSERT_FALSE(found.pointers.empty());
  EXPECT_EQ(found.pointers[0], std::pair(kStackPointer, std::int64_t{-0x30}));
  EXPECT_EQ(found.saved, (std::map<std::size_t, std::int64_t>{{kRbx, -8}, {kR12, -16}}));
}

TEST(FramePrologue, NothingHasMovedBeforeTheFirstInstruction) {
  const FramePrologue found = frame_prologue({});
  ASSERT_EQ(found.pointers.size(), 1U);
  EXPECT_EQ(found.pointers[0], std::pair(kStackPointer, std::int64_t{0}));
}

TEST(FramePrologue, WhatComesBehindABranchIsNotTaken) {
  const Bytes code{0x48, 0x83, 0xec, 0x20,   // sub $0x20, %rsp
                   0x74, 0x04,               // je
                   0x48, 0x83, 0xec, 0x40};  // sub $0x40, %rsp
  const FramePrologue found = frame_prologue(code);
  ASSERT_FALSE(found.pointers.empty());
  EXPECT_EQ(found.pointers[0].second, -0x20);
}

TEST(FramePrologue, TheCallerHasItsRegistersBack) {
  const std::vector<std::uint64_t> words{0xb, 0xbb, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x401234, 13};
  const StackMemory memory{0x7000, words};
  FrameRegisters registers;
  registers[kStackPointer] = 0x1000;  // aligned, far below
  registers[kRbx] = 0x7000;
  const auto found = steps(frame_prologue(kAligned), registers, memory);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].caller[kInstructionPointer], 0x401234U);
  EXPECT_EQ(found[0].caller[kStackPointer], 0x7000U + 13 * 8);
  EXPECT_EQ(found[0].caller[kRbx], 0xbU);
  EXPECT_EQ(found[0].caller[kRbp], 0xbbU);
}

TEST(FramePrologue, ARegisterThatPointsElsewhereLeadsNowhere) {
  const std::vector<std::uint64_t> words(16, 1);
  FrameRegisters registers;
  registers[kRbx] = 0x123456789;
  EXPECT_TRUE(steps(frame_prologue(kAligned), registers, {0x7000, words}).empty());
}

}  // namespace
}  // namespace ridge::measure::binary
