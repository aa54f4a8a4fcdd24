#include <gtest/gtest.h>

#include "serialize/sentences_for_tests.hpp"

namespace ridge::serialize {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  json_document_sentences(sentences);
  described_sentences(sentences);
  machine_sentences(sentences);
  profile_sentences(sentences);
  microarchitecture_sentences(sentences);
  known_caches_sentences(sentences);
  specification_sentences(sentences);
  sparse_study_sentences(sentences);
  tensor_graph_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::serialize
