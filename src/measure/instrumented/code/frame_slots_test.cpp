#include "measure/instrumented/code/frame_slots.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Of all instructions of the code, each once. `own`: blocks from the first on that are Ridge's.
Traffic moved(const Bytes& code, std::size_t own = 0) {
  const auto function = machine_code::read_function(machine_code::Architecture::x86_64, code, 0);
  if (!function) {
    ADD_FAILURE() << function.error().message;
    return {};
  }
  std::vector<bool> is_own(function->blocks.size(), false);
  for (std::size_t i = 0; i < own; ++i) {
    is_own.at(i) = true;
  }
  const FrameSlots slots(*function, is_own);
  Traffic sum;
  for (const machine_code::Instruction& instruction : function->instructions) {
    sum += slots.moved_by(instruction);
  }
  return sum;
}

TEST(FrameSlots, ARegisterPutAsideAndFetchedBack) {
  EXPECT_EQ(moved({
                0x48,
                0x89,
                0x44,
                0x24,
                0x08,  // mov [rsp+8], rax
                0x48,
                0x0F,
                0xAF,
                0xCA,  // imul rcx, rdx
                0x48,
                0x8B,
                0x44,
                0x24,
                0x08,  // mov rax, [rsp+8]
                0xC3,
            }),
            (Traffic{8, 8}));
}

TEST(FrameSlots, AVectorUsedWhereItLies) {
  EXPECT_EQ(moved({
                0xC5,
                0xFC,
                0x11,
                0x44,
                0x24,
                0x20,  // vmovups [rsp+32], ymm0
                0xC5,
                0xED,
                0x58,
                0x4C,
                0x24,
                0x20,  // vaddpd ymm1, ymm2, [rsp+32]
                0xC3,
            }),
            (Traffic{32, 32}));
}

TEST(FrameSlots, PartsOfASlotBelongToIt) {
  EXPECT_EQ(moved({
                0xC5,
                0xFC,
                0x11,
                0x44,
                0x24,
                0x20,  // vmovups [rsp+32], ymm0
                0xC5,
                0xF8,
                0x10,
                0x4C,
                0x24,
                0x30,  // vmovups xmm1, [rsp+48]
                0xC3,
            }),
            (Traffic{16, 32}));
}

TEST(FrameSlots, ArgumentsAndSavedRegistersAreNone) {
  EXPECT_EQ(moved({
                0x48,
                0x89,
                0x04,
                0x24,  // mov [rsp], rax: for a callee
                0x48,
                0x8B,
                0x4C,
                0x24,
                0x48,  // mov rcx, [rsp+72]: of the caller
                0xC3,
            }),
            Traffic{});
  EXPECT_EQ(moved({0x53, 0x55, 0x5D, 0x5B, 0xC3}), Traffic{});  // push rbx; push rbp; pop; pop
}

TEST(FrameSlots, PlacesThatAnIndexChoosesAreNone) {
  EXPECT_EQ(moved({
                0x48,
                0x89,
                0x04,
                0xCC,  // mov [rsp+rcx*8], rax
                0x48,
                0x8B,
                0x14,
                0xCC,  // mov rdx, [rsp+rcx*8]
                0xC3,
            }),
            Traffic{});
}

TEST(FrameSlots, TheFramePointerIsOneOnlyWhereTheFunctionMakesItOne) {
  const Bytes use{
      0x48, 0x89, 0x45, 0xF8,  // mov [rbp-8], rax
      0x48, 0x8B, 0x4D, 0xF8,  // mov rcx, [rbp-8]
  };
  Bytes without = use;
  without.push_back(0xC3);
  EXPECT_EQ(moved(without), Traffic{});
  Bytes with{0x55, 0x48, 0x89, 0xE5};  // push rbp; mov rbp, rsp
  with.insert(with.end(), use.begin(), use.end());
  with.insert(with.end(), {0x5D, 0xC3});
  EXPECT_EQ(moved(with), (Traffic{8, 8}));
}

TEST(FrameSlots, APointerOfRidgesIsNone) {
  const Bytes code{
      0x64, 0x48, 0x8B, 0x01,        // mov rax, fs:[rcx]
      0x48, 0x89, 0x44, 0x24, 0x08,  // mov [rsp+8], rax
      0xEB, 0x00,                    // jmp to the next
      0x48, 0x8B, 0x54, 0x24, 0x08,  // mov rdx, [rsp+8]
      0x48, 0xFF, 0x42, 0x40,        // inc qword [rdx+64]
      0xC3,
  };
  EXPECT_EQ(moved(code, 1), Traffic{});
  EXPECT_EQ(moved(code, 0), (Traffic{8, 8}));
}

TEST(FrameSlots, WhatIsComputedFromAPointerOfRidgesIsRidges) {
  EXPECT_EQ(moved(
                {
                    0x64, 0x4C, 0x8B, 0x31,        // mov r14, fs:[rcx]
                    0xEB, 0x00,                    // jmp to the next
                    0x4C, 0x01, 0xF3,              // add rbx, r14
                    0x48, 0x89, 0x5C, 0x24, 0x08,  // mov [rsp+8], rbx
                    0x48, 0x8B, 0x54, 0x24, 0x08,  // mov rdx, [rsp+8]
                    0x48, 0xFF, 0x42, 0x40,        // inc qword [rdx+64]
                    0xC3,
                },
                1),
            Traffic{});
}

TEST(FrameSlots, AnArgumentPutAsideInFrontOfTheProgramsCodeIsTheProgram) {
  EXPECT_EQ(moved(
                {
                    0x64, 0x48, 0x8B, 0x01,        // mov rax, fs:[rcx]
                    0x48, 0x89, 0x7C, 0x24, 0x08,  // mov [rsp+8], rdi
                    0xEB, 0x00,                    // jmp to the next
                    0x48, 0x8B, 0x54, 0x24, 0x08,  // mov rdx, [rsp+8]
                    0x48, 0xFF, 0x42, 0x40,        // inc qword [rdx+64]
                    0xC3,
                },
                1),
            (Traffic{8, 8}));
}

const Bytes kCountedLoop{
    0x64, 0x4C, 0x8B, 0x31,                                // mov r14, fs:[rcx]
    0xEB, 0x00,                                            // jmp to the next
    0x48, 0xC7, 0x44, 0x24, 0x08, 0x00, 0x00, 0x00, 0x00,  // mov qword [rsp+8], 0
    0x48, 0xFF, 0x44, 0x24, 0x08,                          // again: inc qword [rsp+8]
    0x48, 0xFF, 0xCF,                                      // dec rdi
    0x75, 0xF6,                                            // jnz again
    0x48, 0x8B, 0x44, 0x24, 0x08,                          // mov rax, [rsp+8]
    0x49, 0x01, 0x46, 0x40,                                // add [r14+64], rax
};

TEST(FrameSlots, ACounterThatWaitsForTheEndOfALoopIsNone) {
  Bytes code = kCountedLoop;
  code.push_back(0xC3);
  EXPECT_EQ(moved(code, 1), Traffic{});
  EXPECT_EQ(moved(code, 0), (Traffic{16, 16}));
}

TEST(FrameSlots, ACounterThatIsAddedWhereItLiesIsNone) {
  EXPECT_EQ(moved(
                {
                    0x64, 0x4C, 0x8B, 0x31,        // mov r14, fs:[rcx]
                    0xEB, 0x00,                    // jmp to the next
                    0x48, 0xFF, 0x44, 0x24, 0x08,  // inc qword [rsp+8]
                    0x49, 0x8B, 0x46, 0x40,        // mov rax, [r14+64]
                    0x48, 0x03, 0x44, 0x24, 0x08,  // add rax, [rsp+8]
                    0x49, 0x89, 0x46, 0x40,        // mov [r14+64], rax
                    0xC3,
                },
                1),
            Traffic{});
}

TEST(FrameSlots, ACounterOnItsWayThroughAnotherSlotIsNone) {
  EXPECT_EQ(moved(
                {
                    0x64, 0x4C, 0x8B, 0x31,        // mov r14, fs:[rcx]
                    0xEB, 0x00,                    // jmp to the next
                    0x48, 0xFF, 0x44, 0x24, 0x08,  // inc qword [rsp+8]
                    0x48, 0x8B, 0x44, 0x24, 0x08,  // mov rax, [rsp+8]
                    0x48, 0x89, 0x44, 0x24, 0x10,  // mov [rsp+16], rax
                    0x48, 0x8B, 0x4C, 0x24, 0x10,  // mov rcx, [rsp+16]
                    0x49, 0x01, 0x4E, 0x40,        // add [r14+64], rcx
                    0xC3,
                },
                1),
            Traffic{});
}

TEST(FrameSlots, AnIndexOfTheProgramIsNoCounter) {
  EXPECT_EQ(moved(
                {
                    0x64, 0x4C, 0x8B, 0x31,        // mov r14, fs:[rcx]
                    0xEB, 0x00,                    // jmp to the next
                    0x48, 0x89, 0x7C, 0x24, 0x08,  // mov [rsp+8], rdi
                    0x48, 0x8B, 0x44, 0x24, 0x08,  // mov rax, [rsp+8]
                    0x48, 0xFF, 0xC0,              // inc rax
                    0x48, 0x89, 0x44, 0x24, 0x08,  // mov [rsp+8], rax
                    0x48, 0x8B, 0x14, 0xC6,        // mov rdx, [rsi+rax*8]
                    0x49, 0x01, 0x46, 0x40,        // add [r14+64], rax
                    0xC3,
                },
                1),
            (Traffic{8, 16}));
}

TEST(FrameSlots, ACountThatTheProgramUsesTooIsTheProgram) {
  Bytes code = kCountedLoop;
  code.insert(code.end(), {
                              0x48,
                              0x8B,
                              0x44,
                              0x24,
                              0x08,  // mov rax, [rsp+8]
                              0x48,
                              0x01,
                              0x46,
                              0x08,  // add [rsi+8], rax
                              0xC3,
                          });
  EXPECT_EQ(moved(code, 1), (Traffic{24, 16}));
}

TEST(FrameSlots, AFunctionWithoutBlocksHasNone) {
  const machine_code::Function empty;
  EXPECT_EQ(FrameSlots(empty, {}).moved_by({}), Traffic{});
}

/// The pointer of an argument is the program's, although the way into the version for traffic puts
/// it back where it came from; what counts where a pointer of Ridge's leads is not.
TEST(FrameSlots, AccessesOfRidgeAreToldFromThoseByArguments) {
  // clang-format off
  const Bytes code{
      0x48, 0x8B, 0x44, 0x24, 0x40,        // 0: mov rax, [rsp+64], an argument; Ridge's block
      0x48, 0x89, 0x44, 0x24, 0x08,        // 5: mov [rsp+8], rax
      0x48, 0x8B, 0x1D, 0, 0, 0, 0,        // 10: mov rbx, [rip]
      0xEB, 0x00,                          // 17: jmp 19
      0x48, 0xFF, 0x43, 0x30,              // 19: inc qword [rbx+48]
      0x48, 0x8B, 0x4C, 0x24, 0x08,        // 23: mov rcx, [rsp+8]
      0x48, 0x8B, 0x11,                    // 28: mov rdx, [rcx]
      0x74, 0x01,                          // 31: jz 34
      0xC3,                                // 33: ret
      0x48, 0x8B, 0x44, 0x24, 0x08,        // 34: mov rax, [rsp+8]; Ridge's block
      0x48, 0x89, 0x44, 0x24, 0x40,        // 39: mov [rsp+64], rax
      0xC3};
  // clang-format on
  const auto function = machine_code::read_function(machine_code::Architecture::x86_64, code, 0);
  ASSERT_TRUE(function);
  ASSERT_EQ(function->blocks.size(), 4U);
  const std::vector<bool> is_own{true, false, false, true};
  const FrameSlots slots(*function, is_own);
  EXPECT_EQ(slots.own_accesses(*function, is_own), (std::set<std::uint64_t>{19}));
}

}  // namespace
}  // namespace ridge::measure
