#include "render/document/spmv/sparse_study_table.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_at(int columns) {
  return sparse_study_text(sparse_study_for_tests(),
                           {.columns = columns, .unicode = false, .colour = false});
}

TEST(SparseStudyTable, SaysWhatTheStudyFound) {
  const std::string text = text_at(140);
  for (const char* part : {"grid.mtx (Matrix Market, real symmetric)",
                           "3 375 000 x 3 375 000",
                           "23 490 000 entries",
                           "dense blocks of 3 x 3",
                           "3 empty rows",
                           "alpha from beyond L2 of 1 MiB: 0.250 (simulated)",
                           "(simulated, sampled)",
                           "alpha from 258 MB of traffic: 0.360",
                           "24.0 GB/s",
                           "91 %",
                           "4.02 GFlop/s",
                           "1.37x",
                           "5 SpMV",
                           "19 SpMV",
                           "rcm: bandwidth 33 000",
                           "pays from 7500 products",
                           "4 vectors at once on 2 threads: 6.30 GFlop/s",
                           "4 powers at once",
                           "use-format: pattern is 1.37x as fast as CSR.",
                           "not bcsr: the matrix has no dense blocks",
                           "note: b_S went from 20 to 24 GB/s"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(SparseStudyTable, WhatTheNoiseHidesIsNotRanked) {
  SparseStudy study = sparse_study_for_tests();
  study.timings[1].paired_speedup = MedianInterval{.median = 1.63, .low = 0.8, .high = 9};
  study.timings[1].break_even.reset();
  study.reorderings[0].paired_gain = MedianInterval{.median = 1.02, .low = 0.98, .high = 1.05};
  const std::string text = sparse_study_text(study, {.columns = 160, .unicode = false});
  EXPECT_THAT(text, HasSubstr("too noisy (0.80 to 9.00)"));
  EXPECT_THAT(text, HasSubstr("no difference (0.98 to 1.05)"));
  EXPECT_THAT(text, HasSubstr("too noisy to rank"));
  EXPECT_THAT(text, Not(HasSubstr("1.63x")));
  const std::string narrow = sparse_study_text(study, {.columns = 80, .unicode = false});
  EXPECT_THAT(narrow, HasSubstr("speed-up"));
  EXPECT_THAT(narrow, HasSubstr("  too noisy"));
  for (SparseTiming& timing : study.timings) {
    timing.paired_speedup.reset();
  }
  const std::string older = sparse_study_text(study, {.columns = 160, .unicode = false});
  EXPECT_THAT(older, HasSubstr("1.37x"));
  EXPECT_THAT(older, Not(HasSubstr("too noisy to rank")));
}

TEST(SparseStudyTable, TablesFitNarrowScreens) {
  std::istringstream lines(text_at(60));
  std::string line;
  bool in_table = false;
  while (std::getline(lines, line)) {
    in_table = line.find("byte/flop") != std::string::npos ||
               line.find("performance") != std::string::npos || (in_table && !line.empty());
    if (in_table) {
      EXPECT_LE(line.size(), 60U) << line;
    }
  }
}

TEST(SparseStudyTable, AnEmptyStudyIsNoCrash) {
  EXPECT_THAT(sparse_study_text({}, {}), HasSubstr("0 entries"));
}

}  // namespace
}  // namespace ridge::render
