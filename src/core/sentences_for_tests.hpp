// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge {

void cache_geometry_sentences(tests::Sentences& sentences);
void caches_elsewhere_sentences(tests::Sentences& sentences);

}  // namespace ridge
