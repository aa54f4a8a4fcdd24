// A study as one page without scripts.
#pragma once

#include <string>

#include "core/value/sparse_study.hpp"

namespace ridge::render {

/// One HTML file that loads nothing: picture, advice, tables, remarks, provenance. Whatever the
/// strings of the study hold stays text, and its policy lets no script run.
[[nodiscard]] std::string study_page(const SparseStudy& study);

}  // namespace ridge::render
