// The cells of a study, for Markdown and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/value/sparse_study.hpp"
#include "render/format/html/static_page.hpp"

namespace ridge::render {

using StudyTable = PageTable;

using StudyFacts = std::vector<std::pair<std::string, std::string>>;

/// "SpMV of NAME", unless another title is given.
[[nodiscard]] std::string study_title(const SparseStudy& study, const std::string& title);

/// What the matrix is.
[[nodiscard]] StudyFacts matrix_facts(const SparseStudy& study);
/// Where and when it was timed.
[[nodiscard]] StudyFacts provenance(const SparseStudy& study);

/// Formats as bytes, timings, other orders, several products at once; those without rows are left
/// out. Numbers are those of the picture.
[[nodiscard]] std::vector<StudyTable> study_tables(const SparseStudy& study);

/// What the columns mean, a sentence each.
[[nodiscard]] std::vector<std::string> study_legend(const SparseStudy& study);

/// Formats that were left out with the reason, then notes.
[[nodiscard]] std::vector<std::string> study_remarks(const SparseStudy& study);

}  // namespace ridge::render
