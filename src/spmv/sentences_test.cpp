#include <gtest/gtest.h>

#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

TEST(Sentences, OfThisModuleAreThoseOfTheGoldenFile) {
  tests::Sentences sentences;
  product_sentences(sentences);
  generate_sentences(sentences);
  matrix_file_sentences(sentences);
  harwell_boeing_sentences(sentences);
  matrix_market_sentences(sentences);
  npz_sentences(sentences);
  petsc_sentences(sentences);
  advice_sentences(sentences);
  turns_sentences(sentences);
  sentences.expect_golden("testdata/sentences.txt");
}

}  // namespace
}  // namespace ridge::spmv
