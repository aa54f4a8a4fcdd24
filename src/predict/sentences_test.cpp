#include <gtest/gtest.h>

#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  rule_sentences(sentences);
  finding_sentences(sentences);
  program_finding_sentences(sentences);
  gain_sentences(sentences);
  roof_words_sentences(sentences);
  verdict_sentences(sentences);
  summary_sentences(sentences);
  comparison_sentences(sentences);
  same_run_sentences(sentences);
  gate_sentences(sentences);
  above_roof_sentences(sentences);
  resource_sentences(sentences);
  layer_time_sentences(sentences);
  next_step_sentences(sentences);
  waiting_sentences(sentences);
  loop_prediction_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::predict
