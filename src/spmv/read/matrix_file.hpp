// Matrices from files: Matrix Market, Harwell-Boeing, Rutherford-Boeing, PETSc, scipy's .npz, and
// Ridge's own binary cache. What is read of each: docs/formats/matrix-files.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

enum class MatrixFormat {
  matrix_market,
  harwell_boeing,
  rutherford_boeing,
  petsc,
  npz,
  cache,
};
enum class MatrixField { real, integer, complex, pattern };
enum class MatrixSymmetry { general, symmetric, skew_symmetric, hermitian };

[[nodiscard]] std::string_view name_of(MatrixFormat format);
[[nodiscard]] std::string_view name_of(MatrixField field);
[[nodiscard]] std::string_view name_of(MatrixSymmetry symmetry);

/// What the head of a file says of the matrix. Nothing of it has been held against the rest.
struct DeclaredMatrix {
  MatrixFormat format = MatrixFormat::matrix_market;
  bool compressed = false;  ///< by gzip, as a whole
  MatrixField field = MatrixField::real;
  MatrixSymmetry symmetry = MatrixSymmetry::general;
  std::uint64_t rows = 0;     ///< as in the file
  std::uint64_t columns = 0;  ///< as in the file
  std::uint64_t entries = 0;  ///< as in the file: of a symmetric one those of one triangle
  std::string title;          ///< title or comments; lines end with '\n' but for the last

  /// How many rows and columns of real numbers stand for one of the file: 2 if complex, else 1.
  [[nodiscard]] std::uint64_t real_form() const { return field == MatrixField::complex ? 2 : 1; }
  /// The most entries that the matrix can have with both triangles, in real form.
  [[nodiscard]] std::uint64_t most_entries() const;
  /// Whether indices of 32 bit count its rows, columns and entries for sure.
  [[nodiscard]] bool fits_32_bit() const;
};

struct MatrixFileFacts {
  DeclaredMatrix declared;
  std::uint64_t nan_values = 0;       ///< in the matrix as returned, as the next two
  std::uint64_t infinite_values = 0;  ///< plus and minus
  std::uint64_t explicit_zeros = 0;
  std::uint64_t duplicates = 0;    ///< entries that were added to another one of the same place
  std::uint64_t bytes = 0;         ///< of the file
  std::vector<std::string> notes;  ///< sentences on what a reader may not expect
};

/// The matrix as all kernels want it, and what the file said. Both triangles of a symmetric one are
/// there. A complex a + bi is the 2 x 2 block [a -b; b a] of a matrix of twice the size. An entry
/// of a pattern is 1.
template <class Index>
struct MatrixFile {
  CsrMatrix<double, Index> matrix;
  MatrixFileFacts facts;
};

/// Reads the head of the file only, so that the caller can choose the type of index.
[[nodiscard]] Result<DeclaredMatrix> peek_matrix(const std::filesystem::path& file);

/// Reads on up to `threads` threads; the result does not depend on their number. The format is
/// known by the content. `Index` is std::int32_t or std::int64_t.
///
/// Errors: what the file gets wrong (bad_input) with file, line or byte, and reason; a file that
/// cannot be opened, or that needs more memory than there is (unavailable). Sizes that the file
/// declares are held against the size of the file before anything is allocated for them: more than
/// 2^20 + 64 rows or columns for each byte of the file are refused.
template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_matrix(const std::filesystem::path& file,
                                                    int threads = 1);

/// Writes what read_matrix reads back to the same matrix and facts (but for the format, which is
/// then `cache`, and the bytes), at the speed of the disk. The file is replaced as a whole or not
/// at all. Error: write_failed.
template <class Index>
[[nodiscard]] Result<void> write_matrix_cache(const MatrixFile<Index>& matrix,
                                              const std::filesystem::path& file);

}  // namespace ridge::spmv
