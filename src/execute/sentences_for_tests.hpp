// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::execute {

void outcome_sentences(tests::Sentences& sentences);

}  // namespace ridge::execute
