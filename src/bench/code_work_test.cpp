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

TEST(CodeWork, VectorsOfIntegersAreOperationsAndNoFlops) {
  // vpaddq ymm0, ymm0, ymm15; vpmulld xmm1, xmm1, xmm2
  const auto work = decode_inner_loop(closed({0xC4, 0xC1, 0x7D, 0xD4, 0xC7,  //
                                              0xC4, 0xE2, 0x71, 0x40, 0xCA}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->ops, 4U + 4U);
  EXPECT_EQ(work->integer, 2U);
  EXPECT_EQ(work->dot, 0U);
  EXPECT_EQ(work->flops, 0U);
  EXPECT_EQ(work->vector_bits, 256U);
}

TEST(CodeWork, GeneralRegistersHoldDataOnlyWhereThatIsSaid) {
  // add rax, r15; imul edx, r15d
  const Code code = closed({0x4C, 0x01, 0xF8, 0x41, 0x0F, 0xAF, 0xD7});
  const auto data = decode_inner_loop(code, GeneralRegisters::data);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->ops, 2U) << "the count of turns is the loop's own";
  EXPECT_EQ(data->integer, 2U);
  EXPECT_EQ(data->vector_bits, 64U);
  EXPECT_EQ(data->instructions, 4U);
  const auto addresses = decode_inner_loop(code);
  ASSERT_TRUE(addresses) << addresses.error().message;
  EXPECT_EQ(addresses->ops, 0U);
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
  // vmaxpd xmm0, xmm0, xmm1
  const auto work = decode_inner_loop(closed({0xC5, 0xF9, 0x5F, 0xC1}));
  ASSERT_FALSE(work);
  EXPECT_NE(work.error().message.find("vmaxpd"), std::string::npos) << work.error().message;
}

TEST(CodeWork, TheOldEncodingCountsLikeTheNewOne) {
  // addpd xmm0, xmm1; mulps xmm2, xmm3; divpd xmm4, xmm5; sqrtps xmm6, xmm7
  const auto work = decode_inner_loop(closed({0x66, 0x0F, 0x58, 0xC1, 0x0F, 0x59, 0xD3,  //
                                              0x66, 0x0F, 0x5E, 0xE5, 0x0F, 0x51, 0xF7}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->flops, 2U + 4U + 2U + 4U);
  EXPECT_EQ(work->add, 1U);
  EXPECT_EQ(work->mul, 1U);
  EXPECT_EQ(work->div, 1U);
  EXPECT_EQ(work->sqrt, 1U);
  EXPECT_EQ(work->vector_bits, 128U);
}

TEST(CodeWork, CountsEachProductAndSumOfADotProduct) {
  // vdpbf16ps zmm0, zmm1, zmm2: 32 products, 32 sums
  const auto brain = decode_inner_loop(closed({0x62, 0xF2, 0x76, 0x48, 0x52, 0xC2}));
  ASSERT_TRUE(brain) << brain.error().message;
  EXPECT_EQ(brain->flops, 64U);
  EXPECT_EQ(brain->ops, 0U);
  // vpdpbusd zmm0, zmm1, zmm2: 64 products, 64 sums, and no flop
  const auto bytes = decode_inner_loop(closed({0x62, 0xF2, 0x75, 0x48, 0x50, 0xC2}));
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(bytes->flops, 0U);
  EXPECT_EQ(bytes->ops, 128U);
  // tdpbf16ps tmm0, tmm1, tmm2: 16 x 16 sums over 32 products each
  const auto tile = decode_inner_loop(closed({0xC4, 0xE2, 0x6A, 0x5C, 0xC1}));
  ASSERT_TRUE(tile) << tile.error().message;
  EXPECT_EQ(tile->flops, 2U * 16U * 16U * 32U);
  // tdpbusd tmm0, tmm1, tmm2: 16 x 16 sums over 64 products each
  const auto tile_bytes = decode_inner_loop(closed({0xC4, 0xE2, 0x69, 0x5E, 0xC1}));
  ASSERT_TRUE(tile_bytes) << tile_bytes.error().message;
  EXPECT_EQ(tile_bytes->flops, 0U);
  EXPECT_EQ(tile_bytes->ops, 2U * 16U * 16U * 64U);
}

TEST(CodeWork, AGatherLoadsOneElementForEachLane) {
  // vgatherdpd zmm0{k1}, [r8+ymm1*8]
  const auto wide = decode_inner_loop(closed({0x62, 0xD2, 0xFD, 0x49, 0x92, 0x04, 0xC8}));
  ASSERT_TRUE(wide) << wide.error().message;
  EXPECT_EQ(wide->loaded_bytes, 64U);
  EXPECT_EQ(wide->stored_bytes, 0U);
  EXPECT_EQ(wide->accesses, 8U);
  EXPECT_EQ(wide->vector_bits, 512U);
  // vgatherdpd ymm0, [r8+xmm1*8], ymm2
  const auto narrow = decode_inner_loop(closed({0xC4, 0xC2, 0xED, 0x92, 0x04, 0xC8}));
  ASSERT_TRUE(narrow) << narrow.error().message;
  EXPECT_EQ(narrow->loaded_bytes, 32U);
  EXPECT_EQ(narrow->accesses, 4U);
}

TEST(CodeWork, AStorePastTheCachesIsAStore) {
  // vmovntpd [rax], ymm0
  const auto work = decode_inner_loop(closed({0xC5, 0xFD, 0x2B, 0x00}));
  ASSERT_TRUE(work) << work.error().message;
  EXPECT_EQ(work->stored_bytes, 32U);
  EXPECT_EQ(work->accesses, 1U);
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
