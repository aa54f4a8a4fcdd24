// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::predict {

void rule_sentences(tests::Sentences& sentences);
void finding_sentences(tests::Sentences& sentences);
void program_finding_sentences(tests::Sentences& sentences);
void gain_sentences(tests::Sentences& sentences);
void roof_words_sentences(tests::Sentences& sentences);
void verdict_sentences(tests::Sentences& sentences);
void summary_sentences(tests::Sentences& sentences);
void comparison_sentences(tests::Sentences& sentences);
void same_run_sentences(tests::Sentences& sentences);
void gate_sentences(tests::Sentences& sentences);
void above_roof_sentences(tests::Sentences& sentences);
void resource_sentences(tests::Sentences& sentences);
void layer_time_sentences(tests::Sentences& sentences);
void next_step_sentences(tests::Sentences& sentences);
void waiting_sentences(tests::Sentences& sentences);
void loop_prediction_sentences(tests::Sentences& sentences);

}  // namespace ridge::predict
