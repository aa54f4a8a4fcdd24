#include <gtest/gtest.h>

#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  balance_sentences(sentences);
  chart_sentences(sentences);
  integer_sentences(sentences);
  bench_summary_sentences(sentences);
  specification_sentences(sentences);
  machine_comparison_sentences(sentences);
  network_sentences(sentences);
  prediction_table_sentences(sentences);
  projection_table_sentences(sentences);
  elsewhere_sentences(sentences);
  library_counts_sentences(sentences);
  node_sentences(sentences);
  region_report_sentences(sentences);
  terminal_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::render
