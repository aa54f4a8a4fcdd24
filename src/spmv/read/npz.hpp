// Sparse matrices of scipy.sparse.save_npz: CSR, CSC and COO.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

/// What stands before the numbers of a .npy file.
struct NpyHeader {
  std::string type;                  ///< for instance "<f8"
  std::vector<std::uint64_t> shape;  ///< empty: one number
  bool fortran_order = false;

  [[nodiscard]] std::uint64_t count() const;
};

/// The dictionary, a Python literal: {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }.
/// Error (bad_input, without a file name): anything else.
[[nodiscard]] Result<NpyHeader> parse_npy_header(std::string_view text);

[[nodiscard]] bool is_npz(std::string_view head);
[[nodiscard]] Result<DeclaredMatrix> peek_npz(const InputFile& file, bool gzip);
template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_npz(const InputFile& file, bool gzip, int threads);

}  // namespace ridge::spmv
