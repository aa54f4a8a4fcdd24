// A study as CSV and as Markdown.
#pragma once

#include <string>

#include "core/value/sparse_study.hpp"

namespace ridge::render {

/// RFC 4180, base units in the heading, an empty cell is unknown: one row for each timing, then for
/// each other order, then for several vectors and powers. docs/formats/report.md.
[[nodiscard]] std::string study_csv(const SparseStudy& study);

/// For GitHub: the matrix, advice, tables, remarks. `title` empty: "SpMV of NAME".
[[nodiscard]] std::string study_markdown(const SparseStudy& study, const std::string& title = {});

}  // namespace ridge::render
