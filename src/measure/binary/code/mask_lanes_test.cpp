#include "measure/binary/code/mask_lanes.hpp"

#include <gtest/gtest.h>

#include "measure/binary/code/work_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

std::optional<std::uint64_t> lanes_of(const tests::Code& code) {
  const auto decoded = machine_code::decode(machine_code::Architecture::x86_64, code, 0);
  EXPECT_EQ(decoded->size(), 1U);
  return mask_lanes(decoded->front());
}

TEST(MaskLanes, AreElementsOfWhatIsWritten) {
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0xF5, 0x49, 0xB8, 0xC2}), 8U);   // vfmadd231pd zmm {k1}
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0x74, 0x29, 0x58, 0xC2}), 8U);   // vaddps ymm {k1}
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0xF7, 0x09, 0x58, 0xC2}), 1U);   // vaddsd xmm {k1}
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0x75, 0x49, 0xFC, 0xC2}), 64U);  // vpaddb zmm {k1}
}

TEST(MaskLanes, OfMovesTheNameSaysTheElement) {
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0xFD, 0x49, 0x11, 0x07}), 8U);   // vmovupd [rdi] {k1}, zmm0
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0x7E, 0x49, 0x6F, 0x07}), 16U);  // vmovdqu32 zmm0 {k1}, [rdi]
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0x7F, 0x49, 0x6F, 0x07}), 64U);  // vmovdqu8 zmm0 {k1}, [rdi]
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0xFF, 0x09, 0x10, 0x07}), 1U);   // vmovsd xmm0 {k1}, [rdi]
}

TEST(MaskLanes, OfConversionsTheyAreThoseOfTheWiderSide) {
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0xFD, 0x49, 0x5A, 0xC1}), 8U);   // vcvtpd2ps ymm0 {k1}, zmm1
  EXPECT_EQ(lanes_of({0x62, 0xF1, 0x7C, 0x49, 0x5A, 0xC1}), 8U);   // vcvtps2pd zmm0 {k1}, ymm1
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0x7E, 0x49, 0x35, 0x07}), 8U);   // vpmovqd [rdi] {k1}, zmm0
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0x7D, 0x49, 0x30, 0xC1}), 32U);  // vpmovzxbw zmm0 {k1}, ymm1
}

TEST(MaskLanes, OfProductsTheyAreThoseOfTheSums) {
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0x75, 0x49, 0x50, 0xC2}), 16U);  // vpdpbusd zmm {k1}
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0x76, 0x49, 0x52, 0xC2}), 16U);  // vdpbf16ps zmm {k1}
}

TEST(MaskLanes, OfGathersTheyAreTheirAccesses) {
  // vgatherdpd zmm0 {k1}, [rsi + ymm1*8]
  EXPECT_EQ(lanes_of({0x62, 0xF2, 0xFD, 0x49, 0x92, 0x04, 0xCE}), 8U);
}

TEST(MaskLanes, NoneWithoutAMaskRegister) {
  EXPECT_EQ(lanes_of({0xC5, 0xF4, 0x59, 0xC2}), std::nullopt);
}

}  // namespace
}  // namespace ridge::measure::binary
