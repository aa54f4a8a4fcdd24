// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::serialize {

void json_document_sentences(tests::Sentences& sentences);
void described_sentences(tests::Sentences& sentences);
void machine_sentences(tests::Sentences& sentences);
void profile_sentences(tests::Sentences& sentences);
void microarchitecture_sentences(tests::Sentences& sentences);
void known_caches_sentences(tests::Sentences& sentences);
void specification_sentences(tests::Sentences& sentences);
void sparse_study_sentences(tests::Sentences& sentences);
void tensor_graph_sentences(tests::Sentences& sentences);

}  // namespace ridge::serialize
