#include "spmv/study/advice.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
  EXPECT_THAT(format->text, AllOf(HasSubstr("pattern "), HasSubstr("1.37x (1.35 to 1.38)"),
                                  HasSubstr("19 products"), HasSubstr("(19 to 20)")));
  EXPECT_NEAR(*format->gain, 1.37, 0.01);
}

SparseStudy far_from_the_roof() {
  SparseStudy study = measured();
  for (SparseTiming& timing : study.timings) {
    timing.of_own_roof.median = Number(0.4);
  }
  return study;
}

TEST(Advice, FarFromTheRoofTheReasonIsSought) {
  SparseStudy study = far_from_the_roof();
  EXPECT_NE(find(advice(study), "latency-or-instructions"), nullptr);
  study.alphas.back().alpha = 0.6;
  const auto findings = advice(study);
  const auto* traffic = find(findings, "x-traffic");
  ASSERT_NE(traffic, nullptr);
  EXPECT_THAT(traffic->text, AllOf(HasSubstr("4.2 times"), HasSubstr("L3")));
}

SparseStudy two_passes() {
  SparseStudy study = measured();
  study.alphas.back().alpha = 0.6;
  study.timings[1].format = study.formats[1].format = "binned";
  study.formats[1].least_code_balance = 14.5;
  study.timings[1].of_own_roof.median = Number(0.6);
  return study;
}

TEST(Advice, TwoPassesReadXOnceWhateverAlphaOfCsrIs) {
  const auto findings = advice(two_passes());
  EXPECT_EQ(find(findings, "x-traffic"), nullptr);
  const auto* limit = find(findings, "two-passes");
  ASSERT_NE(limit, nullptr);
  EXPECT_THAT(limit->text, AllOf(StartsWith("binned "), HasSubstr("60 %"), HasSubstr("29 byte"),
                                 HasSubstr("CSR needs 16")));
}

TEST(Advice, PartitionsOfUnevenRows) {
  SparseStudy study = measured();
  EXPECT_EQ(find(advice(study), "partition-entries"), nullptr) << "even rows";
  study.matrix.rows_imbalance = 1.6;
  const auto findings = advice(study);
  const auto* partition = find(findings, "partition-entries");
  ASSERT_NE(partition, nullptr);
  EXPECT_THAT(partition->text, AllOf(HasSubstr("2 threads"), HasSubstr("1.60 times")));
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

SparseStudy without_difference() {
  SparseStudy study = measured();
  study.timings[1].paired_speedup = kSame;
  return study;
}

TEST(Advice, WhatIncludesOneIsNoDifference) {
  SparseStudy study = without_difference();
  const auto findings = advice(study);
  const auto* same = find(findings, "no-format-gains");
  ASSERT_NE(same, nullptr);
  EXPECT_THAT(same->text, AllOf(HasSubstr("CSR"), HasSubstr("pattern")));
  EXPECT_EQ(find(findings, "use-format"), nullptr);
  EXPECT_FALSE(same->gain);
  EXPECT_THAT(find(findings, "bandwidth-bound")->text, StartsWith("csr "))
      << "the fastest is CSR unless another one is faster beyond the noise";
  study.timings.pop_back();
  EXPECT_NE(find(advice(study), "keep-csr"), nullptr);
  study.timings.push_back(another(study, "slow", kSlower, kSlower));
  EXPECT_NE(find(advice(study), "keep-csr"), nullptr);
}

SparseStudy of_a_noisy_machine() {
  SparseStudy study = measured();
  study.timings[1].paired_speedup = kNoisy;
  study.timings.push_back(another(study, "binned", kSame, kSame));
  study.timings.push_back(another(study, "bcsr-3x3", kSlower, kSlower));
  return study;
}

TEST(Advice, ANoisyMachineRanksNothing) {
  const auto findings = advice(of_a_noisy_machine());
  const auto* noisy = find(findings, "too-noisy-to-rank");
  ASSERT_NE(noisy, nullptr);
  const std::size_t same = noisy->text.find("no difference");
  ASSERT_NE(same, std::string::npos);
  EXPECT_THAT(noisy->text.substr(0, same),
              AllOf(HasSubstr("too noisy"), HasSubstr("pattern"), Not(HasSubstr("binned"))));
  EXPECT_THAT(noisy->text.substr(same),
              AllOf(HasSubstr("binned"), Not(HasSubstr("pattern")), Not(HasSubstr("bcsr"))));
  EXPECT_FALSE(noisy->gain);
  for (const char* code : {"use-format", "keep-csr", "no-format-gains"}) {
    EXPECT_EQ(find(findings, code), nullptr) << code;
  }
}

// The largest median is the noisy one: it does not win.
SparseStudy with_others_as_fast() {
  SparseStudy study = measured();
  study.timings.push_back(another(study, "sell-32-1", {1.36, 1.34, 1.38}, kSame));
  study.timings.push_back(another(study, "binned", kNoisy, kNoisy));
  study.timings[2].break_even = 5;
  return study;
}

SparseStudy with_a_noisy_fastest() {
  SparseStudy study = with_others_as_fast();
  study.timings.push_back(another(study, "symmetric", {3.3, 1.3, 4.9}, {2.4, 0.9, 3.5}));
  study.timings.back().break_even = 9;
  return study;
}

TEST(Advice, TheFastestIsTheFastestThatIsSure) {
  const auto findings = advice(with_others_as_fast());
  const auto* use = find(findings, "use-format");
  ASSERT_NE(use, nullptr);
  EXPECT_THAT(use->text, HasSubstr("pattern is 1.37x"));
  EXPECT_THAT(use->text, testing::ContainsRegex("No difference [^.]*sell-32-1 [^.]* 5 "));
  EXPECT_THAT(use->text, testing::ContainsRegex("Too noisy [^.]*binned"));
  const auto others = advice(with_a_noisy_fastest());
  EXPECT_THAT(find(others, "use-format")->text, HasSubstr("pattern is 1.37x"))
      << "what is surely faster wins, not what may be";
  EXPECT_THAT(find(others, "use-format")->text, testing::ContainsRegex("Too noisy [^.]*symmetric"));
}

SparseStudy of_an_uncertain_share() {
  SparseStudy study = measured();
  study.timings[1].own_roof_interval = MedianInterval{.median = 0.91, .low = 0.3, .high = 1.2};
  return study;
}

TEST(Advice, ShareOfTheRoofOfABusyMachine) {
  SparseStudy study = of_an_uncertain_share();
  const auto findings = advice(study);
  const auto* limit = find(findings, "too-noisy-to-say");
  ASSERT_NE(limit, nullptr);
  EXPECT_THAT(limit->text, AllOf(StartsWith("pattern "), HasSubstr("30 % to 120 %")));
  EXPECT_EQ(find(findings, "bandwidth-bound"), nullptr);
  study.timings[1].own_roof_interval = MedianInterval{.median = 0.82, .low = 0.78, .high = 0.86};
  EXPECT_NE(find(advice(study), "bandwidth-bound"), nullptr) << "narrow: the median decides";
}

SparseStudy with_a_better_order() {
  SparseStudy study = measured();
  study.reorderings[0].gain = 2;
  study.reorderings[0].paired_gain = MedianInterval{.median = 2, .low = 1.9, .high = 2.1};
  study.multiples.clear();
  return study;
}

TEST(Advice, OrdersAndSeveralVectors) {
  const auto findings = advice(measured());
  EXPECT_THAT(find(findings, "order-rcm")->text,
              AllOf(HasSubstr("nothing"), HasSubstr("1.02x (1.01 to 1.03)")));
  EXPECT_THAT(find(findings, "order-hubs")->text, AllOf(HasSubstr("nothing"), HasSubstr("0.23x")));
  EXPECT_THAT(find(findings, "several-vectors")->text, HasSubstr("2.6 products"));
  const auto others = advice(with_a_better_order());
  EXPECT_THAT(find(others, "order-rcm")->text,
              AllOf(HasSubstr("2.00x (1.90 to 2.10)"), Not(HasSubstr("nothing"))));
  EXPECT_THAT(find(others, "several-vectors")->text, HasSubstr("modelled"));
}

SparseStudy with_noisy_orders() {
  SparseStudy study = measured();
  study.reorderings[0].paired_gain = kNoisy;
  study.reorderings[1].paired_gain = kSame;
  study.multiples[0].paired_gain = kNoisy;
  study.multiples[1].paired_gain.reset();
  return study;
}

TEST(Advice, OrdersAndSeveralVectorsOfABusyMachine) {
  SparseStudy study = with_noisy_orders();
  const auto findings = advice(study);
  EXPECT_THAT(find(findings, "order-rcm")->text, HasSubstr("too noisy"));
  EXPECT_THAT(find(findings, "order-hubs")->text, HasSubstr("no difference"));
  for (const char* code : {"order-rcm", "order-hubs", "several-vectors", "several-powers"}) {
    EXPECT_FALSE(find(findings, code)->gain) << code;
  }
  EXPECT_THAT(find(findings, "several-vectors")->text, HasSubstr("too noisy"));
  EXPECT_THAT(find(findings, "several-powers")->text, HasSubstr("too noisy"));
  study.multiples[0].paired_gain = kSame;
  EXPECT_THAT(find(advice(study), "several-vectors")->text, HasSubstr("no difference"));
}

TEST(Advice, NothingTimedNothingSaid) {
  EXPECT_TRUE(advice({}).empty());
  SparseStudy study = measured();
  study.matrix.entries = 0;
  EXPECT_TRUE(advice(study).empty());
}

}  // namespace

void advice_sentences(tests::Sentences& sentences) {
  std::set<std::string> said;
  const auto add = [&](const std::string& what, const SparseStudy& study) {
    for (const SparseFinding& finding : advice(study)) {
      if (said.insert(finding.text).second) {
        sentences.add("advice, " + what + ": " + finding.code, finding.text);
      }
    }
  };
  add("near the roof", measured());
  add("far from the roof", far_from_the_roof());
  SparseStudy x_again = far_from_the_roof();
  x_again.alphas.back().alpha = 0.6;
  add("x comes again", x_again);
  add("two passes", two_passes());
  SparseStudy uneven = measured();
  uneven.matrix.rows_imbalance = 1.6;
  add("uneven rows", uneven);
  add("no difference", without_difference());
  SparseStudy alone = without_difference();
  alone.timings.pop_back();
  add("CSR alone", alone);
  add("a noisy machine", of_a_noisy_machine());
  add("others as fast", with_others_as_fast());
  add("a noisy fastest", with_a_noisy_fastest());
  add("an uncertain share of the roof", of_an_uncertain_share());
  add("a better order", with_a_better_order());
  add("noisy orders", with_noisy_orders());
}

}  // namespace ridge::spmv
