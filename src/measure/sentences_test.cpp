#include <gtest/gtest.h>

#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  combine_sentences(sentences);
  source_sentences(sentences);
  program_check_sentences(sentences);
  attach_sentences(sentences);
  build_profile_sentences(sentences);
  markers_sentences(sentences);
  sampling_sentences(sentences);
  traffic_plan_sentences(sentences);
  binary_notes_sentences(sentences);
  counted_code_sentences(sentences);
  traffic_run_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::measure
