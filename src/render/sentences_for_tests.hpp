// What each test file gives to the golden file of this module's wording, testdata/sentences.txt.
#pragma once

#include "tests/sentences.hpp"

namespace ridge::render {

void balance_sentences(tests::Sentences& sentences);
void chart_sentences(tests::Sentences& sentences);
void integer_sentences(tests::Sentences& sentences);
void bench_summary_sentences(tests::Sentences& sentences);
void specification_sentences(tests::Sentences& sentences);
void machine_comparison_sentences(tests::Sentences& sentences);
void network_sentences(tests::Sentences& sentences);
void prediction_table_sentences(tests::Sentences& sentences);
void projection_table_sentences(tests::Sentences& sentences);
void library_counts_sentences(tests::Sentences& sentences);
void node_sentences(tests::Sentences& sentences);
void elsewhere_sentences(tests::Sentences& sentences);
void region_report_sentences(tests::Sentences& sentences);
void terminal_sentences(tests::Sentences& sentences);

}  // namespace ridge::render
