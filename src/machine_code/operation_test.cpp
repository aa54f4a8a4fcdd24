// Operations of x86-64 against a list written by hand, and what else is read of an instruction
// against encodings of Intel's manual (SDM, volume 2).
#include "machine_code/operation.hpp"

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machine_code/decode.hpp"

namespace ridge::machine_code {
namespace {

using Code = std::vector<std::uint8_t>;

Instruction only(const Code& code, std::uint64_t address = 0x1000) {
  const auto decoded = decode(Architecture::x86_64, code, address);
  EXPECT_TRUE(decoded && decoded->size() == 1) << "not one instruction";
  return decoded && !decoded->empty() ? decoded->front() : Instruction{};
}

std::string words(const Instruction& at) {
  std::string text;
  for (const Operation& operation : at.operations()) {
    text += fmt::format("{}{} {} {} {}{}", text.empty() ? "" : "; ", to_string(operation.kind),
                        to_string(operation.element), operation.width_bits, operation.lanes,
                        operation.masked ? " masked" : "");
  }
  return text.empty() ? "-" : text;
}

struct Row {
  Code code;
  std::string assembly;
  std::string expected;
};

std::vector<Row> rows() {
  std::ifstream file("testdata/operations.txt");
  std::vector<Row> found;
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(" | ");
    const auto second = line.rfind(" | ");
    if (line.starts_with('#') || first == std::string::npos) {
      continue;
    }
    Row row{{}, line.substr(first + 3, second - first - 3), line.substr(second + 3)};
    std::istringstream bytes(line.substr(0, first));
    for (unsigned byte = 0; bytes >> std::hex >> byte;) {
      row.code.push_back(static_cast<std::uint8_t>(byte));
    }
    found.push_back(row);
  }
  return found;
}

TEST(Operations, AreThoseOfTheListWrittenByHand) {
  const auto list = rows();
  ASSERT_GE(list.size(), 250U);
  for (const Row& row : list) {
    EXPECT_EQ(words(only(row.code)), row.expected) << row.assembly;
  }
}

TEST(Operations, FlopsAreLanesTimesTwoForAnFma) {
  // vfmadd213pd ymm0, ymm14, ymm15; vdpbf16ps zmm0, zmm1, zmm2: 32 products, 32 sums
  EXPECT_EQ(only({0xC4, 0xC2, 0x8D, 0xA8, 0xC7}).flops(), 8U);
  EXPECT_EQ(only({0x62, 0xF2, 0x76, 0x48, 0x52, 0xC2}).flops(), 64U);
  EXPECT_EQ(only({0xD9, 0xFA}).flops(), 0U);  // fsqrt is named, not counted
}

TEST(Operations, OfATileAreAtMostThoseOfAFullOne) {
  const auto tile = only({0xC4, 0xE2, 0x6A, 0x5C, 0xC1});  // tdpbf16ps tmm0, tmm1, tmm2
  ASSERT_EQ(tile.operations().size(), 1U);
  EXPECT_TRUE(tile.operations()[0].at_most);
  EXPECT_EQ(tile.flops(), 2U * 16U * 16U * 32U);
}

TEST(Memory, AnOperandIsLoadedOrStoredWhole) {
  // vmovapd zmm0, [rax]; vmovapd [rdx+64], zmm0
  const auto load = only({0x62, 0xF1, 0xFD, 0x48, 0x28, 0x00});
  EXPECT_EQ(load.loaded_bytes(), 64U);
  EXPECT_EQ(load.stored_bytes(), 0U);
  EXPECT_TRUE(load.moves);
  const auto store = only({0x62, 0xF1, 0xFD, 0x48, 0x29, 0x42, 0x01});
  EXPECT_EQ(store.stored_bytes(), 64U);
  ASSERT_EQ(store.memory().size(), 1U);
  EXPECT_EQ(store.memory()[0].displacement, 64);
  EXPECT_EQ(store.memory()[0].base, Register(RegisterClass::general, 2));
}

TEST(Memory, ABroadcastLoadsOneElement) {
  // vmulpd zmm0, zmm1, qword ptr [rax]{1to8}
  const auto at = only({0x62, 0xF1, 0xF5, 0x58, 0x59, 0x00});
  EXPECT_EQ(at.loaded_bytes(), 8U);
  ASSERT_EQ(at.memory().size(), 1U);
  EXPECT_TRUE(at.memory()[0].broadcast);
}

TEST(Memory, AGatherLoadsOneElementForEachLane) {
  // vgatherdpd zmm0{k1}, [r8+ymm1*8]; vgatherdpd ymm0, [r8+xmm1*8], ymm2
  const auto wide = only({0x62, 0xD2, 0xFD, 0x49, 0x92, 0x04, 0xC8});
  EXPECT_EQ(wide.loaded_bytes(), 64U);
  ASSERT_EQ(wide.memory().size(), 1U);
  EXPECT_EQ(wide.memory()[0].lanes, 8U);
  EXPECT_TRUE(wide.memory()[0].masked);
  EXPECT_EQ(wide.memory()[0].index.kind(), RegisterClass::vector);
  const auto narrow = only({0xC4, 0xC2, 0xED, 0x92, 0x04, 0xC8});
  EXPECT_EQ(narrow.loaded_bytes(), 32U);
}

TEST(Memory, WhatTheFrameHoldsLooksLikeASpill) {
  EXPECT_TRUE(only({0xC5, 0xF9, 0x29, 0x04, 0x24}).may_be_spill());   // vmovapd [rsp], xmm0
  EXPECT_FALSE(only({0xC5, 0xF9, 0x29, 0x00}).may_be_spill());        // vmovapd [rax], xmm0
  EXPECT_FALSE(only({0xF2, 0x0F, 0x58, 0x04, 0x24}).may_be_spill());  // addsd xmm0, [rsp]
}

TEST(Memory, RelativeAddressesAreThoseOfTheProgram) {
  // movsd xmm0, [rip+0x10], 8 bytes long at 0x1000
  const auto at = only({0xF2, 0x0F, 0x10, 0x05, 0x10, 0x00, 0x00, 0x00});
  ASSERT_EQ(at.memory().size(), 1U);
  EXPECT_TRUE(at.memory()[0].rip_relative);
  EXPECT_EQ(at.memory()[0].address, 0x1018U);
}

TEST(Memory, AStorePastTheCachesSaysSo) {
  const auto at = only({0xC5, 0xFD, 0x2B, 0x00});  // vmovntpd [rax], ymm0
  EXPECT_EQ(at.stored_bytes(), 32U);
  EXPECT_TRUE(at.memory()[0].non_temporal);
}

TEST(Memory, AnAddressThatIsOnlyComputedIsNoAccess) {
  const auto lea = only({0x48, 0x8D, 0x04, 0xC8});  // lea rax, [rax+rcx*8]
  EXPECT_TRUE(lea.memory().empty());
  EXPECT_TRUE(lea.reads.contains(Register(RegisterClass::general, 1)));
}

TEST(Masks, ChooseLanesUnlessTheyAreK0) {
  const auto merged = only({0x62, 0xF1, 0xF5, 0x49, 0x58, 0xC2});  // vaddpd zmm0{k1}, zmm1, zmm2
  ASSERT_TRUE(merged.mask);
  EXPECT_EQ(merged.mask->name, Register(RegisterClass::mask, 1));
  EXPECT_FALSE(merged.mask->zeroing);
  EXPECT_TRUE(merged.reads.contains(Register(RegisterClass::vector, 0))) << "merges";
  const auto zeroed = only({0x62, 0xF1, 0xF5, 0xC9, 0x58, 0xC2});
  ASSERT_TRUE(zeroed.mask);
  EXPECT_TRUE(zeroed.mask->zeroing);
  EXPECT_FALSE(zeroed.reads.contains(Register(RegisterClass::vector, 0)));
  EXPECT_FALSE(only({0x62, 0xF1, 0xF5, 0x48, 0x58, 0xC2}).mask);
}

TEST(Registers, PartsOfOneAreOne) {
  const auto at = only({0x00, 0xC8});  // add al, cl
  EXPECT_TRUE(at.writes.contains(Register(RegisterClass::general, 0)));
  EXPECT_TRUE(at.reads.contains(Register(RegisterClass::general, 1)));
  EXPECT_TRUE(at.writes.contains(Register(RegisterClass::flags, 0)));
}

TEST(Registers, XorOfARegisterWithItselfDoesNotWaitForIt) {
  const auto at = only({0x31, 0xC0});  // xor eax, eax
  EXPECT_TRUE(at.breaks_dependence);
  EXPECT_FALSE(at.reads.contains(Register(RegisterClass::general, 0)));
  EXPECT_FALSE(only({0x31, 0xC8}).breaks_dependence);
}

TEST(Flow, OfEachKindOfBranch) {
  EXPECT_EQ(only({0xEB, 0x10}).target, 0x1012U);
  EXPECT_EQ(only({0xEB, 0x10}).flow, Flow::jump);
  EXPECT_EQ(only({0x75, 0xFE}).flow, Flow::conditional_jump);
  EXPECT_EQ(only({0x75, 0xFE}).target, 0x1000U);
  EXPECT_EQ(only({0xFF, 0xE0}).flow, Flow::indirect_jump);
  EXPECT_EQ(only({0xE8, 0, 0, 0, 0}).flow, Flow::call);
  EXPECT_EQ(only({0xFF, 0xD0}).flow, Flow::indirect_call);
  EXPECT_EQ(only({0xC3}).flow, Flow::return_);
  EXPECT_EQ(only({0x0F, 0x0B}).flow, Flow::trap);
  EXPECT_EQ(only({0x0F, 0x05}).flow, Flow::system_call);
}

TEST(Decode, WhatIsNoInstructionIsAGapOfOneByte) {
  const auto decoded = decode(Architecture::x86_64, Code{0x06, 0x90}, 0);
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->size(), 2U);
  EXPECT_EQ((*decoded)[0].flow, Flow::undecodable);
  EXPECT_EQ((*decoded)[0].length, 1U);
  EXPECT_EQ((*decoded)[1].flow, Flow::next);
}

TEST(Decode, OfAArch64IsUnavailable) {
  const auto decoded = decode(Architecture::aarch64, Code{0xC0, 0x03, 0x5F, 0xD6}, 0);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::unavailable);
  EXPECT_NE(decoded.error().message.find("AArch64"), std::string::npos);
}

TEST(Decode, TextIsIntels) {
  const auto text = disassemble(Architecture::x86_64, Code{0xC4, 0xC2, 0x8D, 0xA8, 0xC7}, 0);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "vfmadd213pd ymm0, ymm14, ymm15");
  EXPECT_EQ(disassemble(Architecture::x86_64, Code{0x06}, 0), "(bad)");
}

TEST(Decode, LengthsOfAnyBytesAddUp) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    Code code(random() % 200);
    for (auto& byte : code) {
      byte = static_cast<std::uint8_t>(random());
    }
    const auto decoded = decode(Architecture::x86_64, code, 0x400000);
    ASSERT_TRUE(decoded);
    std::uint64_t at = 0x400000;
    for (const Instruction& next : *decoded) {
      ASSERT_EQ(next.address, at);
      ASSERT_GE(next.length, 1U);
      ASSERT_LE(next.memory().size(), Instruction::kMemoryOperands);
      at = next.next();
    }
    ASSERT_EQ(at, 0x400000 + code.size());
  }
}

}  // namespace
}  // namespace ridge::machine_code
