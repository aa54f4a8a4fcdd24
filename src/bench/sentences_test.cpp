#include <gtest/gtest.h>

#include "bench/sentences_for_tests.hpp"

namespace ridge::bench {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  note_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::bench
