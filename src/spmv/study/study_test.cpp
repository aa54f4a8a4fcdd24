#include "spmv/study/study.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate/generate.hpp"
#include "spmv/study/read_bandwidth.hpp"
#include "spmv/study/suitable_formats.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

StudyOptions short_study() {
  StudyOptions options;
  options.effort.budget = Seconds(0.01);
  options.last_level_cache = Bytes(1 << 25);
  return options;
}

// No test looks at how fast anything is: that every number is there and holds together.
void expect_consistent(const SparseStudy& study, double entries) {
  for (const SparseTiming& timing : study.timings) {
    SCOPED_TRACE(timing.format);
    EXPECT_GE(timing.time.samples, 9U);
    EXPECT_GT(timing.time.median.value(), 0);
    EXPECT_GT(timing.bandwidth.median.value(), 0);
    const double rate = 2 * entries / timing.time.median.value();
    if (timing.time.samples % 2 == 1) {
      EXPECT_NEAR(timing.performance.median.value(), rate, 1e-6 * rate);
    } else {  // both lie between two samples: the inverse of a mean is not the mean of inverses
      EXPECT_GE(timing.performance.median.value(), rate * (1 - 1e-9));
    }
    EXPECT_TRUE(std::isfinite(timing.of_own_roof.median.value()));
    ASSERT_TRUE(timing.speedup);
    ASSERT_TRUE(timing.paired_speedup);
    EXPECT_DOUBLE_EQ(timing.paired_speedup->median, timing.speedup->median.value());
    EXPECT_EQ(timing.paired_speedup->samples, timing.time.samples);
    ASSERT_TRUE(timing.against_fastest);
    ASSERT_TRUE(timing.own_roof_interval);
    if (timing.break_even) {
      EXPECT_GT(timing.paired_speedup->low, 1);
      EXPECT_GE(*timing.break_even, *timing.conversion_products);
    }
  }
}

TEST(Study, SuitableFormatsOfASymmetricMatrix) {
  const auto matrix = generate("fem:6,3");
  ASSERT_TRUE(matrix);
  StudyOptions options = short_study();
  options.threads = {1, 2};
  options.vectors = {3};
  options.powers = {2};
  options.orders = {true, true};
  const auto study = time_formats(*matrix, options);
  ASSERT_TRUE(study) << study.error().message;
  expect_consistent(*study, static_cast<double>(matrix->entries()));
  std::vector<std::string> names;
  for (const SparseFormatFacts& facts : study->formats) {
    names.push_back(facts.format);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"csr", "sell-32-256", "pattern", "gather-blocked",
                                            "pattern-3x3", "bcsr-3x3", "symmetric"}));
  EXPECT_EQ(study->timings.size(), 2 * names.size());
  ASSERT_EQ(study->reorderings.size(), 2U);
  EXPECT_EQ(study->reorderings[0].method, "rcm");
  for (const SparseReordering& reordering : study->reorderings) {
    ASSERT_TRUE(reordering.paired_gain);
    EXPECT_DOUBLE_EQ(reordering.gain, reordering.paired_gain->median);
    EXPECT_EQ(reordering.best.threads, 2U);
  }
  ASSERT_EQ(study->multiples.size(), 2U);
  EXPECT_EQ(study->multiples[0].count, 3U);
  EXPECT_EQ(study->multiples[1].kind, "powers");
  EXPECT_DOUBLE_EQ(study->multiples[1].gain, study->multiples[1].paired_gain->median);
}

TEST(Study, SchedulesAreTimedInTurnWithOneAnother) {
  const auto matrix = generate("rmat:8,8");
  ASSERT_TRUE(matrix);
  StudyOptions options = short_study();
  options.formats = {Format{}, *parse_format("sell-8-1")};
  options.schedules = {Schedule::rows, Schedule::dynamic};
  const auto study = time_formats(*matrix, options);
  ASSERT_TRUE(study);
  ASSERT_EQ(study->timings.size(), 4U);
  EXPECT_EQ(study->timings[1].schedule, "rows");
  EXPECT_EQ(study->timings[3].schedule, "dynamic");
  EXPECT_EQ(study->timings[3].format, "sell-8-1");
  expect_consistent(*study, static_cast<double>(matrix->entries()));
  // CSR with the first schedule is what all are compared with.
  EXPECT_EQ(study->timings[0].paired_speedup->low, 1);
  EXPECT_EQ(study->timings[0].paired_speedup->high, 1);
  EXPECT_NE(study->timings[2].paired_speedup->high, study->timings[2].paired_speedup->low);
}

TEST(Study, CsrBalanceInClosedForm) {
  const auto matrix = generate("poisson2d:50");
  ASSERT_TRUE(matrix);
  StudyOptions options = short_study();
  options.formats = {Format{}};
  const auto study = time_formats(*matrix, options);
  ASSERT_TRUE(study);
  ASSERT_EQ(study->formats.size(), 1U);
  const double entries = 5.0 * 2500 - 4 * 50;
  const double rows = 2500;
  // (12 + 20 / N_nzr + 8 alpha) / 2, and the last row pointer.
  const double expected = (12 * entries + 20 * rows + 8 * rows + 4) / (2 * entries);
  EXPECT_NEAR(study->formats[0].least_code_balance, expected, 1e-9);
}

TEST(Study, WhatWasAskedForAndCannotBeIsAnError) {
  const auto matrix = generate("uniform:100,3");
  ASSERT_TRUE(matrix);
  StudyOptions options = short_study();
  options.formats = {*parse_format("symmetric")};
  EXPECT_THAT(time_formats(*matrix, options).error().message, HasSubstr("not symmetric"));
}

TEST(Study, EmptyAndOblongMatrices) {
  CsrMatrix<double, std::int32_t> empty;
  StudyOptions options = short_study();
  options.orders = {true, true};
  options.powers = {2};
  EXPECT_TRUE(time_formats(empty, options));
  CsrMatrix<double, std::int32_t> oblong;
  oblong.columns = 5;
  const auto study = time_formats(oblong, options);
  ASSERT_TRUE(study);
  EXPECT_EQ(study->notes.front().code, "no-powers");
}

TEST(ReadBandwidth, IsPositive) {
  for (const int threads : {1, 2}) {
    ReadBandwidth bandwidth(1 << 16, threads, widest_isa());
    EXPECT_GT(bandwidth.measure().value(), 0);
  }
}

TEST(Study, TwoPassesWhereRowsReachFar) {
  const auto tries_binned = [](const char* spec) {
    const auto formats = suitable_formats(*generate(spec));
    return std::any_of(formats.begin(), formats.end(),
                       [](const Format& format) { return format.kind == FormatKind::binned; });
  };
  EXPECT_TRUE(tries_binned("uniform:200000,3"));
  EXPECT_FALSE(tries_binned("uniform:60000,3"));
  EXPECT_FALSE(tries_binned("poisson2d:450"));
}

TEST(Study, WhatStoresManyZerosIsTriedOnlyIfNamed) {
  StudyOptions options = short_study();
  const auto matrix = generate("rmat:11,8");
  ASSERT_TRUE(matrix);
  const auto study = time_formats(*matrix, options);
  ASSERT_TRUE(study);
  const auto left = std::find_if(study->left_out.begin(), study->left_out.end(),
                                 [](const Note& note) { return note.code == "sell-32-1"; });
  ASSERT_NE(left, study->left_out.end());
  EXPECT_THAT(left->text, HasSubstr("values for each entry"));
  options.formats = {{}, {.kind = FormatKind::sell, .sigma = 1}};
  const auto named = time_formats(*matrix, options);
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_TRUE(named->left_out.empty());
}

}  // namespace
}  // namespace ridge::spmv
