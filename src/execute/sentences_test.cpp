#include <gtest/gtest.h>

#include "execute/sentences_for_tests.hpp"

namespace ridge::execute {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  outcome_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::execute
