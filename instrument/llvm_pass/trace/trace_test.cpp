// Which accesses are traced when only some classes of lines are.
#include <string>

#include <gtest/gtest.h>

#include "abi/descriptor.h"
#include "instrument/llvm_pass/pass_fixture.hpp"

namespace ridge::pass_test {
namespace {

uint64_t bytes_traced(const Counts& run, const std::string& function) {
  uint64_t bytes = 0;
  for (const auto& [id, region] : run.regions) {
    if (region.function == function) bytes += region.bytes_traced[0] + region.bytes_traced[1];
  }
  return bytes;
}

TEST(LineClasses, EachAccessIsTracedForItsLines) {
  struct Case {
    const char* flags;
    bool vectors;  // those of jacobi start anywhere
  };
  for (const Case& test : {Case{"-O1", false}, Case{"-O3 -march=x86-64-v3", true}}) {
    SCOPED_TRACE(test.flags);
    if (!runs_here(test.flags)) continue;
    const Program program("kernels.c", test.flags);
    ASSERT_EQ(program.error(), "");
    const auto with_mask = [&](const std::string& mask) {
      return program.run("RIDGE_TEST_TRAFFIC=1 RIDGE_TEST_TRACE_MASK=" + mask);
    };
    const Counts even = with_mask("5555555555555555");
    const Counts odd = with_mask("aaaaaaaaaaaaaaaa");
    const Counts none = with_mask("0");
    for (const std::string function : {"triad", "daxpy", "jacobi"}) {
      SCOPED_TRACE(function);
      const uint64_t all =
          even.total(function, RIDGE_BYTES_LOADED) + even.total(function, RIDGE_BYTES_STORED);
      const uint64_t half = bytes_traced(even, function);
      const uint64_t other = bytes_traced(odd, function);
      // What crosses from a line to the next is traced for both.
      EXPECT_GE(half + other, all);
      const bool crosses = test.vectors && function == "jacobi";
      EXPECT_EQ(half + other == all, !crosses) << half << " and " << other;
      EXPECT_NEAR(static_cast<double>(half) / static_cast<double>(half + other), 0.5, 0.1);
      EXPECT_EQ(bytes_traced(none, function), 0u);
    }
  }
}

// A traced class is what is left when all lines are traced and the others are struck out. Both runs
// have their data in the same classes: it is static, and what is random about addresses is whole
// pages.
TEST(LineClasses, WhateverTheMaskWhatItSelectsIsTraced) {
  for (const char* flags : {"-O1", "-O3 -march=x86-64-v3", "-O3 -march=x86-64-v4",
                            "-O3 -march=x86-64-v4 -mprefer-vector-width=512"}) {
    SCOPED_TRACE(flags);
    if (!runs_here(flags)) continue;
    const Program program("kernels.c", flags);
    ASSERT_EQ(program.error(), "");
    for (const std::string mask : {"1", "8000000000000000", "8040201008040201", "ff00000000000000",
                                   "0f0f00ff3355aa01", "7fffffffffffffff"}) {
      SCOPED_TRACE(mask);
      const Counts traced = program.run("RIDGE_TEST_TRAFFIC=1 RIDGE_TEST_TRACE_MASK=" + mask);
      const Counts all = program.run("RIDGE_TEST_TRAFFIC=1 RIDGE_TEST_COUNT_MASK=" + mask);
      ASSERT_EQ(traced.regions.size(), all.regions.size());
      for (const auto& [id, region] : all.regions) {
        EXPECT_EQ(traced.regions.at(id).bytes_traced[0], region.bytes_traced[0]) << region.function;
        EXPECT_EQ(traced.regions.at(id).bytes_traced[1], region.bytes_traced[1]) << region.function;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::pass_test
