// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::spmv {

void product_sentences(tests::Sentences& sentences);
void generate_sentences(tests::Sentences& sentences);
void matrix_file_sentences(tests::Sentences& sentences);
void harwell_boeing_sentences(tests::Sentences& sentences);
void matrix_market_sentences(tests::Sentences& sentences);
void npz_sentences(tests::Sentences& sentences);
void petsc_sentences(tests::Sentences& sentences);
void advice_sentences(tests::Sentences& sentences);
void turns_sentences(tests::Sentences& sentences);

}  // namespace ridge::spmv
