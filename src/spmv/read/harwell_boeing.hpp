// Harwell-Boeing and Rutherford-Boeing, assembled matrices.
// https://math.nist.gov/MatrixMarket/formats.html#hb
#pragma once

#include <string_view>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

[[nodiscard]] bool is_harwell_boeing(std::string_view head);
[[nodiscard]] Result<DeclaredMatrix> peek_harwell_boeing(const InputFile& file, bool gzip);
template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_harwell_boeing(const InputFile& file, bool gzip,
                                                            int threads);

}  // namespace ridge::spmv
