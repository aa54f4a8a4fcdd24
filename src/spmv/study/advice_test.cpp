#include "spmv/study/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

const SparseFinding* find(const std::vector<SparseFinding>& findings, std::string_view code) {
  for (const SparseFinding& finding : findings) {
    if (finding.code == code) {
      return &finding;
    }
  }
  return nullptr;
}

SparseStudy measured() {
  SparseStudy study = sparse_study_for_tests();
  study.findings.clear();
  return study;
}

TEST(Advice, NearTheRoofOnlyBytesHelp) {
  const auto findings = advice(measured());
  const auto* limit = find(findings, "bandwidth-bound");
  ASSERT_NE(limit, nullptr);
  EXPECT_THAT(limit->text, HasSubstr("pattern reaches 91 %"));
  EXPECT_THAT(limit->text, HasSubstr("memory"));
  const auto* format = find(findings, "use-format");
  ASSERT_NE(format, nullptr);
  EXPECT_THAT(format->text, HasSubstr("pattern is 1.37x (1.35 to 1.38) as fast as CSR"));
  EXPECT_THAT(format->text, HasSubstr("pays from 19 products on (19 to 20)."));
  EXPECT_NEAR(*format->gain, 1.37, 0.01);
}

TEST(Advice, FarFromTheRoofTheReasonIsSought) {
  SparseStudy study = measured();
  for (SparseTiming& timing : study.timings) {
    timing.of_own_roof.median = Number(0.4);
  }
  EXPECT_NE(find(advice(study), "latency-or-instructions"), nullptr);
  study.alphas.back().alpha = 0.6;
  const auto findings = advice(study);
  const auto* traffic = find(findings, "x-traffic");
  ASSERT_NE(traffic, nullptr);
  EXPECT_THAT(traffic->text, HasSubstr("4.2 times as often from beyond L3"));
}

TEST(Advice, TwoPassesReadXOnceWhateverAlphaOfCsrIs) {
  SparseStudy study = measured();
  study.alphas.back().alpha = 0.6;
  study.timings[1].format = study.formats[1].format = "binned";
  study.formats[1].least_code_balance = 14.5;
  study.timings[1].of_own_roof.median = Number(0.6);
  const auto findings = advice(study);
  EXPECT_EQ(find(findings, "x-traffic"), nullptr);
  const auto* limit = find(findings, "two-passes");
  ASSERT_NE(limit, nullptr);
  EXPECT_THAT(limit->text, HasSubstr("binned reaches 60 % of its roof: it moves 29 byte"));
  EXPECT_THAT(limit->text, HasSubstr("CSR needs 16 at least"));
}

TEST(Advice, PartitionsOfUnevenRows) {
  SparseStudy study = measured();
  EXPECT_EQ(find(advice(study), "partition-entries"), nullptr) << "even rows";
  study.matrix.rows_imbalance = 1.6;
  const auto findings = advice(study);
  const auto* partition = find(findings, "partition-entries");
  ASSERT_NE(partition, nullptr);
  EXPECT_THAT(partition->text, HasSubstr("one of 2 threads would have 1.60 times the mean"));
  EXPECT_DOUBLE_EQ(*partition->gain, 1.6);
  for (SparseTiming& timing : study.timings) {
    timing.threads = 1;
  }
  EXPECT_EQ(find(advice(study), "partition-entries"), nullptr) << "one thread has all";
}

SparseTiming another(const SparseStudy& study, const std::string& name, const MedianInterval& csr,
                     const MedianInterval& best) {
  SparseTiming timing = study.timings[1];
  timing.format = name;
  timing.paired_speedup = csr;
  timing.against_fastest = best;
  timing.break_even.reset();
  return timing;
}

constexpr MedianInterval kSame{.median = 1.02, .low = 0.98, .high = 1.05};
constexpr MedianInterval kNoisy{.median = 1.63, .low = 0.8, .high = 9.0};
constexpr MedianInterval kSlower{.median = 0.7, .low = 0.6, .high = 0.8};

TEST(Advice, WhatIncludesOneIsNoDifference) {
  SparseStudy study = measured();
  study.timings[1].paired_speedup = kSame;
  const auto findings = advice(study);
  const auto* same = find(findings, "no-format-gains");
  ASSERT_NE(same, nullptr);
  EXPECT_THAT(same->text, HasSubstr("No difference beyond the noise between CSR and pattern"));
  EXPECT_EQ(find(findings, "use-format"), nullptr);
  EXPECT_FALSE(same->gain);
  EXPECT_THAT(find(findings, "bandwidth-bound")->text, HasSubstr("csr reaches"))
      << "the fastest is CSR unless another one is faster beyond the noise";
  study.timings.pop_back();
  EXPECT_NE(find(advice(study), "keep-csr"), nullptr);
  study.timings.push_back(another(study, "slow", kSlower, kSlower));
  EXPECT_NE(find(advice(study), "keep-csr"), nullptr);
}

TEST(Advice, ANoisyMachineRanksNothing) {
  SparseStudy study = measured();
  study.timings[1].paired_speedup = kNoisy;
  study.timings.push_back(another(study, "binned", kSame, kSame));
  study.timings.push_back(another(study, "bcsr-3x3", kSlower, kSlower));
  const auto findings = advice(study);
  const auto* noisy = find(findings, "too-noisy-to-rank");
  ASSERT_NE(noisy, nullptr);
  EXPECT_THAT(noisy->text, HasSubstr("too noisy to rank pattern against CSR; no difference beyond "
                                     "the noise between CSR and binned."));
  EXPECT_FALSE(noisy->gain);
  for (const char* code : {"use-format", "keep-csr", "no-format-gains"}) {
    EXPECT_EQ(find(findings, code), nullptr) << code;
  }
}

// The largest median is the noisy one: it does not win.
TEST(Advice, TheFastestIsTheFastestThatIsSure) {
  SparseStudy study = measured();
  study.timings.push_back(another(study, "sell-32-1", {1.36, 1.34, 1.38}, kSame));
  study.timings.push_back(another(study, "binned", kNoisy, kNoisy));
  study.timings[2].break_even = 5;
  const auto findings = advice(study);
  const auto* use = find(findings, "use-format");
  ASSERT_NE(use, nullptr);
  EXPECT_THAT(use->text, HasSubstr("pattern is 1.37x"));
  EXPECT_THAT(use->text,
              HasSubstr(" No difference beyond the noise to sell-32-1 (pays from 5 on)."));
  EXPECT_THAT(use->text, HasSubstr(" Too noisy to rank: binned."));
  study.timings.push_back(another(study, "symmetric", {3.3, 1.3, 4.9}, {2.4, 0.9, 3.5}));
  study.timings.back().break_even = 9;
  const auto others = advice(study);
  EXPECT_THAT(find(others, "use-format")->text, HasSubstr("pattern is 1.37x"))
      << "what is surely faster wins, not what may be";
  EXPECT_THAT(find(others, "use-format")->text, HasSubstr(" Too noisy to rank against symmetric."));
}

TEST(Advice, ShareOfTheRoofOfABusyMachine) {
  SparseStudy study = measured();
  study.timings[1].own_roof_interval = MedianInterval{.median = 0.91, .low = 0.3, .high = 1.2};
  const auto findings = advice(study);
  const auto* limit = find(findings, "too-noisy-to-say");
  ASSERT_NE(limit, nullptr);
  EXPECT_THAT(limit->text, HasSubstr("pattern reaches 30 % to 120 % of its roof"));
  EXPECT_EQ(find(findings, "bandwidth-bound"), nullptr);
  study.timings[1].own_roof_interval = MedianInterval{.median = 0.82, .low = 0.78, .high = 0.86};
  EXPECT_NE(find(advice(study), "bandwidth-bound"), nullptr) << "narrow: the median decides";
}

TEST(Advice, OrdersAndSeveralVectors) {
  const auto findings = advice(measured());
  EXPECT_THAT(find(findings, "order-rcm")->text,
              HasSubstr("gains nothing worth its time: 1.02x (1.01 to 1.03)"));
  EXPECT_THAT(find(findings, "order-hubs")->text, HasSubstr("gains nothing worth its time: 0.23x"));
  EXPECT_THAT(find(findings, "several-vectors")->text, HasSubstr("the time of 2.6 products"));
  SparseStudy study = measured();
  study.reorderings[0].gain = 2;
  study.reorderings[0].paired_gain = MedianInterval{.median = 2, .low = 1.9, .high = 2.1};
  study.multiples.clear();
  const auto others = advice(study);
  EXPECT_THAT(find(others, "order-rcm")->text, HasSubstr("2.00x (1.90 to 2.10) as fast"));
  EXPECT_THAT(find(others, "several-vectors")->text, HasSubstr("modelled"));
}

TEST(Advice, OrdersAndSeveralVectorsOfABusyMachine) {
  SparseStudy study = measured();
  study.reorderings[0].paired_gain = kNoisy;
  study.reorderings[1].paired_gain = kSame;
  study.multiples[0].paired_gain = kNoisy;
  study.multiples[1].paired_gain.reset();
  const auto findings = advice(study);
  EXPECT_THAT(find(findings, "order-rcm")->text, HasSubstr("too noisy to rank"));
  EXPECT_THAT(find(findings, "order-hubs")->text, HasSubstr("no difference beyond the noise"));
  for (const char* code : {"order-rcm", "order-hubs", "several-vectors", "several-powers"}) {
    EXPECT_FALSE(find(findings, code)->gain) << code;
  }
  EXPECT_THAT(find(findings, "several-vectors")->text, HasSubstr("too noisy to rank"));
  EXPECT_THAT(find(findings, "several-powers")->text, HasSubstr("too noisy to rank"));
  study.multiples[0].paired_gain = kSame;
  EXPECT_THAT(find(advice(study), "several-vectors")->text,
              HasSubstr("no difference beyond the noise"));
}

TEST(Advice, NothingTimedNothingSaid) {
  EXPECT_TRUE(advice({}).empty());
  SparseStudy study = measured();
  study.matrix.entries = 0;
  EXPECT_TRUE(advice(study).empty());
}

}  // namespace
}  // namespace ridge::spmv
