#include "bench/code_show.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

std::vector<std::string> instructions(std::string_view what) {
  const auto text = show(what);
  EXPECT_TRUE(text) << what << ": " << text.error().message;
  std::istringstream lines(text.value_or(""));
  std::vector<std::string> found;
  std::string line;
  std::getline(lines, line);  // what it is
  std::getline(lines, line);  // what a turn does
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    found.push_back(line.substr(line.find_first_not_of(" 0123456789")));
  }
  return found;
}

/// So many of one instruction, nothing in memory, nothing else but the end of the loop.
void expect_peak(std::string_view what, std::string_view mnemonic, std::size_t count,
                 std::string_view register_name) {
  const auto loop = instructions(what);
  ASSERT_EQ(loop.size(), count + 2) << what;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(loop[i].starts_with(std::string(mnemonic) + " " + std::string(register_name)))
        << what << ": " << loop[i];
    EXPECT_EQ(loop[i].find('['), std::string::npos) << what << ": " << loop[i];
  }
  EXPECT_EQ(loop[count], "dec rcx");
  EXPECT_TRUE(loop[count + 1].starts_with("jnz ")) << loop[count + 1];
}

TEST(Show, PeakKernelsHoldTheirOperationsAndNothingElse) {
  expect_peak("fp64.avx512.fma", "vfmadd213pd", 48, "zmm");
  expect_peak("fp32.avx512.fma", "vfmadd213ps", 48, "zmm");
  expect_peak("fp64.avx2.fma", "vfmadd213pd", 42, "ymm");
  expect_peak("fp64.sse.add", "vaddpd", 42, "xmm");
  expect_peak("fp32.scalar.mul", "vmulss", 42, "xmm");
  expect_peak("fp64.sse-legacy.add", "addpd", 42, "xmm");
  expect_peak("fp32.sse-legacy.mul", "mulps", 42, "xmm");
  expect_peak("fp64.avx2.div", "vdivpd", 42, "ymm");
  expect_peak("fp64.avx512.sqrt", "vsqrtpd", 48, "zmm");
  expect_peak("fp16.avx512.fma", "vfmadd213ph", 48, "zmm");
  expect_peak("fp16.scalar.add", "vaddsh", 42, "xmm");
  expect_peak("bf16.avx512.dot", "vdpbf16ps", 48, "zmm");
  expect_peak("int8.avx512.dot", "vpdpbusd", 48, "zmm");
  expect_peak("bf16.amx.dot", "tdpbf16ps", 12, "tmm");
  expect_peak("int8.amx.dot", "tdpbusd", 12, "tmm");
}

TEST(Show, AChainIsOneRegister) {
  const auto loop = instructions("fp64.avx512.fma-chain");
  ASSERT_EQ(loop.size(), 18U);
  for (std::size_t i = 1; i < 16; ++i) {
    EXPECT_EQ(loop[i], loop[0]);
  }
  EXPECT_EQ(loop[0], "vfmadd213pd zmm0, zmm31, zmm30");
  const auto chase = instructions("latency.L2.chase-4k.t1");
  ASSERT_EQ(chase.size(), 66U);
  EXPECT_EQ(chase[0], "mov rax, [rax]");
}

TEST(Show, IdsOfCeilingsAreUnderstood) {
  for (const char* id : {"compute.fp64.avx512.fma.t1", "bandwidth.L2.load.avx512.t2", "L1.load.sse",
                         "load", "bandwidth.DRAM.nt-store.avx2.t1", "L3.stride-16",
                         "L2.gather.avx2", "int8.dot", "fp32.scalar.fma+add"}) {
    EXPECT_TRUE(show(id)) << id;
  }
  EXPECT_EQ(find_variant("L1.load.avx2")->kernel->reach, Reach::l1);
  EXPECT_NE(find_variant("L2.load.avx2")->kernel->reach, Reach::l1);
  EXPECT_NE(find_variant("load.avx2")->kernel->reach, Reach::l1);
}

TEST(Show, BothFormsOfACeiling) {
  const auto both = show("fp64.avx2.fma+add");
  ASSERT_TRUE(both);
  const std::size_t second = both->find("fp64 avx2 fma+add, adds not chained");
  ASSERT_NE(second, std::string::npos) << *both;
  EXPECT_EQ(both->find("24 fma, 24 add"), both->rfind("24 fma, 24 add"));
  EXPECT_LT(both->find("vaddpd ymm8, ymm8, ymm14"), second);
  EXPECT_GT(both->find("36 fma, 36 add"), second);
  EXPECT_NE(both->find("vaddpd ymm12, ymm15, ymm14", second), std::string::npos) << *both;
  for (const char* one : {"fp64.avx512.fma+add", "fp64.sse-legacy.mul+add", "fp64.avx2.fma"}) {
    EXPECT_EQ(show(one)->find("second form"), std::string::npos) << one;
  }
}

TEST(Show, WhatDoesNotExistIsAnErrorThatSaysWhatDoes) {
  const auto unknown = show("fp64.avx512.fmaa");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::usage);
  EXPECT_NE(unknown.error().hint.find("fma+add"), std::string::npos) << unknown.error().hint;
  for (const char* id : {"fp64.sse-legacy.fma", "fp64.amx.fma", "int8.avx2.dot", "bf16.avx512.fma",
                         "", "fp64.avx512", "L2.gather.scalar", "...", "t1"}) {
    EXPECT_FALSE(show(id)) << id;
  }
}

TEST(Show, SaysWhereItWasNeverRun) {
  EXPECT_NE(show("bf16.amx.dot")->find("never run"), std::string::npos);
  EXPECT_EQ(show("fp64.avx2.fma")->find("never run"), std::string::npos);
  EXPECT_NE(show("fp64.avx512.fma")->find("48 fma, 768 flop"), std::string::npos);
}

}  // namespace
}  // namespace ridge::bench
