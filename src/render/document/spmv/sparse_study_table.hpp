// What a study of the sparse matrix-vector product found, for people.
#pragma once

#include <string>

#include "core/value/sparse_study.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Facts, formats, timings, reorderings, multiples, findings and notes.
[[nodiscard]] std::string sparse_study_text(const SparseStudy& study, const TextStyle& style);

}  // namespace ridge::render
