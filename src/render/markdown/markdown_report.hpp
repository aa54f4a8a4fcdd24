// A result as Markdown that GitHub shows: for issues, pull requests and notes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "render/csv/region_csv.hpp"

namespace ridge::render {

/// For each result: what was measured, the table of loops with and without work, findings, notes
/// and the closing sentence.
[[nodiscard]] std::string markdown_report(std::span<const LabelledResult> results,
                                          std::string_view title);

/// The chief figures of a machine and all its ceilings.
[[nodiscard]] std::string markdown_machine(const Machine& machine, std::string_view title);

/// Shown letter by letter in a sentence or a cell: no markup, no HTML, no new cell.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// A name, set as code: GitHub then makes no mention, link or emoji of it.
[[nodiscard]] std::string markdown_code(std::string_view text);

}  // namespace ridge::render
