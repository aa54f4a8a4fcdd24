#include "bench/code_work.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

using Code = std::vector<std::uint8_t>;

// Encodings by hand (Intel SDM volume 2); each loop ends in dec rcx; jnz.
constexpr std::uint8_t kBack = 0x75;

Code closed(Code body) {
  const Code dec_rcx{0x48, 0xFF, 0xC9};
  body.insert(body.end(), dec_rcx.begin(), dec_rcx.end());
  const auto length = static_cast<int>(body.size()) + 2;
  body.push_back(kBack);
  body.push_back(static_cast<std::uint8_t>(-length));
  body.push_back(0xC3);
  return body;
}

TEST(CodeWork, CountsAPackedFma) {
  // vfmadd213pd ymm0, ymm14, ymm15
  const auto work = decode_inner_loop(closed({0xC4, 0xC2, 0x8D, 0xA8, 0xC7}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->flops, 8U);
  EXPECT_EQ(work->fma, 1U);
  EXPECT_EQ(work->vector_bits, 256U);
  EXPECT_EQ(work->loaded_bytes + work->stored_bytes, 0U);
  EXPECT_EQ(work->instructions, 3U);
}

TEST(CodeWork, AScalarOperationHasOneLaneThoughItNamesAWholeRegister) {
  // vaddss xmm1, xmm1, xmm2; vmulsd xmm3, xmm3, xmm4
  const auto work = decode_inner_loop(closed({0xC5, 0xF2, 0x58, 0xCA, 0xC5, 0xE3, 0x59, 0xDC}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->flops, 2U);
  EXPECT_EQ(work->add, 1U);
  EXPECT_EQ(work->mul, 1U);
  EXPECT_EQ(work->vector_bits, 64U);
}

TEST(CodeWork, CountsLoadsStoresAndMemoryOperands) {
  // vmovapd zmm0, [rax]; vmovapd [rdx+64], zmm0; vfmadd231ps xmm0, xmm1, [rsi]
  const auto work = decode_inner_loop(closed({0x62, 0xF1, 0xFD, 0x48, 0x28, 0x00,        //
                                              0x62, 0xF1, 0xFD, 0x48, 0x29, 0x42, 0x01,  //
                                              0xC4, 0xE2, 0x71, 0xB8, 0x06}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->loaded_bytes, 64U + 16U);
  EXPECT_EQ(work->stored_bytes, 64U);
  EXPECT_EQ(work->flops, 8U);
  EXPECT_EQ(work->vector_bits, 512U);
  EXPECT_EQ(work->stack_accesses, 0U);
}

TEST(CodeWork, SeesSpills) {
  // vmovapd [rsp], xmm0
  const auto work = decode_inner_loop(closed({0xC5, 0xF9, 0x29, 0x04, 0x24}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->stack_accesses, 1U);
}

TEST(CodeWork, TakesTheInnerOfTwoLoops) {
  // outer: vaddpd xmm0,xmm0,xmm1; inner: vmulpd xmm0,xmm0,xmm1; dec rcx; jnz inner; dec r11; jnz
  // outer
  const Code code{0xC5, 0xF9, 0x58, 0xC1, 0xC5, 0xF9, 0x59, 0xC1, 0x48, 0xFF,
                  0xC9, 0x75, 0xF7, 0x49, 0xFF, 0xCB, 0x75, 0xEE, 0xC3};
  const auto work = decode_inner_loop(code);
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->mul, 1U);
  EXPECT_EQ(work->add, 0U);
}

TEST(CodeWork, AnInstructionThatItCannotCountIsAnErrorNotFree) {
  // vdivpd xmm0, xmm0, xmm1
  const auto work = decode_inner_loop(closed({0xC5, 0xF9, 0x5E, 0xC1}));
  ASSERT_FALSE(work);
  EXPECT_NE(work.error().message.find("vdivpd"), std::string::npos) << work.error().message;
}

TEST(CodeWork, CodeWithoutALoopOrWithoutSenseIsAnError) {
  EXPECT_FALSE(decode_inner_loop(Code{0xC3}));
  EXPECT_FALSE(decode_inner_loop(Code{}));
  EXPECT_FALSE(decode_inner_loop(Code{0x06, 0x75, 0xFD}));  // push es: invalid in 64-bit mode
  EXPECT_FALSE(decode_inner_loop(Code{0x75, 0x10, 0xC3}));  // a jump forward
}

TEST(CodeWork, SurvivesAnyBytes) {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    Code code(random() % 40);
    for (auto& byte : code) {
      byte = static_cast<std::uint8_t>(random());
    }
    const auto work = decode_inner_loop(code);
    ASSERT_TRUE(!work || work->instructions > 0);
  }
}

}  // namespace
}  // namespace ridge::bench
