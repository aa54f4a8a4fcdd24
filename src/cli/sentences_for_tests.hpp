// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::cli {

void machine_keeping_sentences(tests::Sentences& sentences);
void explain_sentences(tests::Sentences& sentences);
void run_progress_sentences(tests::Sentences& sentences);

}  // namespace ridge::cli
