// Comparisons for other programs' eyes: CSV, one line for each loop, step and quantity; Markdown, a
// table for a merge request.
#pragma once

#include <string>

#include "core/value/comparison.hpp"

namespace ridge::render {

/// RFC 4180 with a header; base units; empty fields are unknown. Cells that a spreadsheet would
/// take for a formula begin with a quote.
[[nodiscard]] std::string comparison_csv(const Comparison& comparison);
[[nodiscard]] std::string machine_comparison_csv(const MachineComparison& comparison);

/// The sentence, a table of the notable loops from the first to the last result, and notes.
[[nodiscard]] std::string comparison_markdown(const Comparison& comparison);
[[nodiscard]] std::string machine_comparison_markdown(const MachineComparison& comparison);

}  // namespace ridge::render
