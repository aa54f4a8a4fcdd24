#include "platform/cpu.hpp"

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

// Signatures as published: Genoa A10F11, Turin B00F21, Cascade Lake 50657, Sapphire Rapids 806F8.
TEST(Cpu, SignaturesDecodeAsTheVendorsDocument) {
  EXPECT_EQ(decode_signature(0x00A10F11), (CpuSignature{25, 17, 1}));
  EXPECT_EQ(decode_signature(0x00B00F21), (CpuSignature{26, 2, 1}));
  EXPECT_EQ(decode_signature(0x00050657), (CpuSignature{6, 85, 7}));
  EXPECT_EQ(decode_signature(0x000806F8), (CpuSignature{6, 143, 8}));
}

TEST(Cpu, OldFamiliesDoNotUseTheExtendedModel) {
  EXPECT_EQ(decode_signature(0x000F0543), (CpuSignature{5, 4, 3}));
}

TEST(Cpu, ThisCpuHasANameAndAConsistentSetOfExtensions) {
  const CpuIdentity cpu = cpu_identity();
  EXPECT_EQ(cpu.vendor.size(), 12U);
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_GT(cpu.family, 0U);
  const SimdSupport simd = simd_support();
  EXPECT_TRUE(simd.avx || !simd.fma);
  EXPECT_TRUE(simd.avx || !simd.avx2);
  EXPECT_TRUE(simd.avx2 || !simd.avx512);
  EXPECT_TRUE(simd.avx512 || !(simd.avx512_fp16 || simd.avx512_bf16 || simd.avx512_vnni));
  EXPECT_EQ(simd.avx512_vnni, __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_EQ(simd.avx512_bf16, __builtin_cpu_supports("avx512bf16") != 0);
}

}  // namespace
}  // namespace ridge::platform
