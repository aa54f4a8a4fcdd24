// A result as Markdown that GitHub shows: for issues, pull requests and notes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "render/chart/counted_work.hpp"
#include "render/document/run/labelled_result.hpp"

namespace ridge::render {

/// For each result: what was measured, the table of loops with and without work, findings, notes
/// and the closing sentence. `work`: of the table; of integer operations without bounds.
[[nodiscard]] std::string markdown_report(std::span<const LabelledResult> results,
                                          std::string_view title,
                                          CountedWork work = CountedWork::flops);

}  // namespace ridge::render
