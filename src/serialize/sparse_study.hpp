// ridge.spmv/1: what a study of the sparse matrix-vector product found.
#pragma once

#include <string>

#include "core/sparse_study.hpp"

namespace ridge::serialize {

/// One object; a value that is not known is absent. docs/formats/ridge.spmv-1.schema.json.
[[nodiscard]] std::string write_sparse_study(const SparseStudy& study);

}  // namespace ridge::serialize
