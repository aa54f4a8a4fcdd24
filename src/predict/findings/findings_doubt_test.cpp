// Where findings and speed-ups are left out, since times or ranks do not tell them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/subject.hpp"

namespace ridge::predict {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The slowest of four ranks takes more than twice the mean of the loop.
void uneven_ranks(Case& c) {
  c.loop().ranks = RegionRanks{RankSpread{4, 10.0, 0, 10.0, 40.0, 3, 17.5, {}},
                               std::nullopt,
                               std::nullopt,
                               std::nullopt,
                               {}};
}

TEST(Findings, RanksThatSleepOrWaitForTheKernelAreNotUneven) {
  Case sleeps;
  uneven_ranks(sleeps);
  sleeps.loop().asleep_seconds = Seconds(9.0);
  EXPECT_EQ(sleeps.find("rank-imbalance"), nullptr);
  Case in_kernel;
  uneven_ranks(in_kernel);
  in_kernel.loop().kernel_seconds = Seconds(9.0);
  EXPECT_EQ(in_kernel.find("rank-imbalance"), nullptr);
}

TEST(Findings, RanksAreNotUnevenInTheCodeOfTheSystem) {
  Case example;
  uneven_ranks(example);
  example.loop().kind = RegionKind::function;
  example.loop().file = "../sysdeps/x86_64/multiarch/memset.S";
  example.loop().name = "memset in ld-linux-x86-64.so.2";
  EXPECT_EQ(example.find("rank-imbalance"), nullptr);
  example.loop().name = "smooth in libsolver.so.2";
  EXPECT_NE(example.find("rank-imbalance"), nullptr);
}

TEST(Findings, RanksCutShortOrSimulatedTellNothingOfUnevenness) {
  for (const char* code : {"rank-cut-short", "times-while-simulated"}) {
    Case example;
    uneven_ranks(example);
    example.profile.notes = {{code, "why (on 1 of 4 ranks)"}};
    EXPECT_EQ(example.find("rank-imbalance"), nullptr) << code;
    example.profile.notes.clear();
    EXPECT_NE(example.find("rank-imbalance"), nullptr);
  }
}

TEST(Findings, RanksThatWereThereOneAfterTheOtherGainLessFromEvenWork) {
  Case example;
  example.samples(1000);
  example.loop().flops.emplace().add(Precision::fp64, OperationKind::add, 64, 1'000'000'000);
  example.loop().ranks = RegionRanks{
      RankSpread{2, 2.0, 0, 4.0, 6.0, 1, 4.0, {}}, std::nullopt, std::nullopt, std::nullopt, {}};
  const Finding* finding = example.find("rank-imbalance");
  ASSERT_NE(finding, nullptr);
  ASSERT_TRUE(finding->gain);
  EXPECT_DOUBLE_EQ(*finding->gain, 10.0 / (10.0 - 6.0 + 4.0)) << "10 s in all, not 6";
}

TEST(Findings, TimesOfASimulatedRunPromiseNoSpeedUp) {
  Case example;
  work_of(example.loop()).add(Precision::fp64, OperationKind::add, 64, 40000 * kMega);
  example.loop().not_vectorised = "reason";
  ASSERT_NE(example.find("not-vectorised"), nullptr);
  ASSERT_TRUE(example.find("not-vectorised")->gain);
  ASSERT_FALSE(example.prediction.next_steps.empty());
  example.profile.notes = {{"times-while-simulated", "why"}};
  const Finding* finding = example.find("not-vectorised");
  ASSERT_NE(finding, nullptr) << "what the code is holds";
  EXPECT_FALSE(finding->gain);
  ASSERT_TRUE(finding->gain_note);
  EXPECT_THAT(*finding->gain_note, HasSubstr("--one-run"));
  EXPECT_THAT(example.prediction.next_steps, IsEmpty());
  EXPECT_FALSE(example.prediction.regions.at(1).gain);
  EXPECT_THAT(example.prediction.summary,
              AllOf(HasSubstr("--one-run"), Not(HasSubstr("look first"))));
}

TEST(Findings, CountsHaveNoExponent) {
  EXPECT_EQ(count_text(10700.0), "10 700");
  EXPECT_EQ(count_text(131072.0), "131 000");
  EXPECT_EQ(count_text(0.0), "0");
  EXPECT_EQ(count_text(99.6), "100");
  EXPECT_EQ(count_text(999.6), "1 000");
  EXPECT_EQ(count_text(4e9), "4 000 000 000");
  EXPECT_EQ(factor_text(1.44), "1.4");
  EXPECT_EQ(factor_text(9.96), "10");
  EXPECT_EQ(factor_text(100.0), "100");
}

}  // namespace
}  // namespace ridge::predict
