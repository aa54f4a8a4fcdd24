// ridge.spmv/1: what a study of the sparse matrix-vector product found.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/sparse_study.hpp"
#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// One object; a value that is not known is absent. docs/formats/ridge.spmv-1.schema.json.
[[nodiscard]] std::string write_sparse_study(const SparseStudy& study);

/// The reverse; the picture comes back in its shades. `file_name` is for messages. Errors:
/// `bad_input` with file, line and key. Names of formats, schedules, levels and codes are words of
/// letters, digits and dashes; other texts may hold anything.
[[nodiscard]] Result<SparseStudy> parse_sparse_study(std::string_view text,
                                                     std::string_view file_name);
/// The same of a text that is parsed already.
[[nodiscard]] Result<SparseStudy> sparse_study_from(const Document& document,
                                                    std::string_view file_name);

}  // namespace ridge::serialize
