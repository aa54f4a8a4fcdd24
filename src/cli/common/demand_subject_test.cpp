#include "cli/common/demand_subject.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;

TEST(KernelSubject, HasParametersNameAndTimesByMachine) {
  const auto subject = parse_kernel_subject(
      "  gemm n=5000 name=GEMM time.skl=1.422 performance.xeon=500G  time=2s ");
  ASSERT_TRUE(subject) << subject.error().message;
  EXPECT_EQ(subject->prediction.kernel.name, "GEMM");
  EXPECT_EQ(subject->prediction.demand.work.flops(), 250'000'000'000U);
  EXPECT_DOUBLE_EQ(*measured_seconds(*subject, "skl"), 1.422);
  EXPECT_DOUBLE_EQ(*measured_seconds(*subject, "xeon"), 0.5);
  EXPECT_DOUBLE_EQ(*measured_seconds(*subject, "other"), 2.0);
}

TEST(KernelSubject, AMeasuredRateIsATime) {
  const auto subject = parse_kernel_subject("scal n=1e9 performance=2G");
  ASSERT_TRUE(subject);
  EXPECT_DOUBLE_EQ(*subject->prediction.measured_seconds, 0.5);
  EXPECT_EQ(parse_kernel_subject("triad n=8")->prediction.measured_seconds, std::nullopt);
}

TEST(KernelSubject, PrecisionIsThatOfTheArithmetic) {
  const auto subject = parse_kernel_subject("gemm n=64 precision=fp32");
  ASSERT_TRUE(subject);
  EXPECT_EQ(subject->prediction.demand.precision, "fp32");
  EXPECT_EQ(subject->prediction.demand.least.read, 2U * 64 * 64 * 4);
}

TEST(KernelSubject, BadWordsAreRefused) {
  for (const auto& [text, word] : {std::pair{"", "no kernel"},
                                   {"gemmm n=4", "gemmm"},
                                   {"gemm 4", "4"},
                                   {"gemm m=4", "n"},
                                   {"gemm n=4 time=fast", "time"},
                                   {"gemm n=4 time.=2", "time."},
                                   {"gemm n=4 time.a=1 performance.a=2", "two figures"},
                                   {"gemm n=4 precision=fp65", "fp65"},
                                   {"gemm n=4 time=1 time=2", "time"},
                                   {"gemm n=4 time.a=0", "time.a"}}) {
    const auto subject = parse_kernel_subject(text);
    ASSERT_FALSE(subject) << text;
    EXPECT_THAT(subject.error().message, HasSubstr(word)) << text;
  }
}

}  // namespace
}  // namespace ridge::cli
