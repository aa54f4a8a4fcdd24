#include "spmv/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sparse_study_for_tests.hpp"

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
  EXPECT_THAT(format->text, HasSubstr("from 19 products on"));
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

TEST(Advice, NoGainBeyondTheSpread) {
  SparseStudy study = measured();
  study.timings[1].break_even.reset();
  EXPECT_NE(find(advice(study), "no-format-gains"), nullptr);
  study.timings.pop_back();
  EXPECT_NE(find(advice(study), "keep-csr"), nullptr);
}

TEST(Advice, OrdersAndSeveralVectors) {
  const auto findings = advice(measured());
  EXPECT_THAT(find(findings, "order-rcm")->text, HasSubstr("gains nothing"));
  EXPECT_THAT(find(findings, "order-hubs")->text, HasSubstr("gains nothing"));
  EXPECT_THAT(find(findings, "several-vectors")->text, HasSubstr("the time of 2.6 products"));
  SparseStudy study = measured();
  study.reorderings[0].gain = 2;
  study.multiples.clear();
  const auto others = advice(study);
  EXPECT_THAT(find(others, "order-rcm")->text, HasSubstr("2.00x as fast"));
  EXPECT_THAT(find(others, "several-vectors")->text, HasSubstr("modelled"));
}

TEST(Advice, NothingTimedNothingSaid) {
  EXPECT_TRUE(advice({}).empty());
  SparseStudy study = measured();
  study.matrix.entries = 0;
  EXPECT_TRUE(advice(study).empty());
}

}  // namespace
}  // namespace ridge::spmv
