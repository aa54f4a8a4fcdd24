#include <gtest/gtest.h>

#include "core/sentences_for_tests.hpp"

namespace ridge {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  cache_geometry_sentences(sentences);
  caches_elsewhere_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge
