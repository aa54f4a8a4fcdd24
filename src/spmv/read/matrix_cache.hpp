// Ridge's own binary file of a matrix: write_matrix_cache() in matrix_file.hpp. The layout:
// docs/formats/matrix-files.md.
#pragma once

#include <string_view>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

[[nodiscard]] bool is_matrix_cache(std::string_view head);
[[nodiscard]] Result<DeclaredMatrix> peek_matrix_cache(const InputFile& file, bool gzip);
template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_matrix_cache(const InputFile& file, bool gzip,
                                                          int threads);

}  // namespace ridge::spmv
