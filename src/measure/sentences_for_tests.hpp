// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::measure {

void combine_sentences(tests::Sentences& sentences);
void source_sentences(tests::Sentences& sentences);
void program_check_sentences(tests::Sentences& sentences);
void attach_sentences(tests::Sentences& sentences);
void build_profile_sentences(tests::Sentences& sentences);
void markers_sentences(tests::Sentences& sentences);
void sampling_sentences(tests::Sentences& sentences);
void traffic_plan_sentences(tests::Sentences& sentences);
void binary_notes_sentences(tests::Sentences& sentences);
void counted_code_sentences(tests::Sentences& sentences);
void traffic_run_sentences(tests::Sentences& sentences);

}  // namespace ridge::measure
