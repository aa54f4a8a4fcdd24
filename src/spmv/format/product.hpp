// y = alpha A x + beta y, whatever the format of A.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "spmv/kernel/kernels.hpp"
#include "spmv/kernel/schedule.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

enum class FormatKind {
  csr,
  sell,             ///< SELL-C-sigma
  sell_short,       ///< with 16-bit indices where a chunk's columns allow it
  pattern,          ///< pattern-compressed SELL
  blocked_pattern,  ///< the same of dense blocks
  bcsr,
  gather_blocked,
  binned,
  symmetric,  ///< upper triangle
};

struct Format {
  FormatKind kind = FormatKind::csr;
  std::int32_t chunk_rows = 32;  ///< C of SELL: 8, 16, 32
  std::int64_t sigma = 1;        ///< of SELL; 0: all rows in one window
  std::int32_t block = 0;        ///< of the blocked ones, 2 to 6; 0: as the matrix has

  friend bool operator==(const Format&, const Format&) = default;
};

/// csr, sell-32-256, sell16-32-1, ellpack-32, pattern, pattern-3x3, bcsr-3x3, gather-blocked,
/// binned, symmetric.
[[nodiscard]] std::string name_of(const Format& format);
/// The other way round; also `sell`, `sell16`, `bcsr`, `pattern-blocked` without numbers.
[[nodiscard]] Result<Format> parse_format(std::string_view name);
[[nodiscard]] std::string format_names();

struct Execution {
  int threads = 1;
  Schedule schedule = Schedule::entries;
  Isa isa = widest_isa();
  Tuning tuning = {};
};

/// What the arrays of a format hold, each read once by a product [byte].
struct Footprint {
  std::size_t useful = 0;  ///< entries of the matrix
  std::size_t stored = 0;  ///< values, with padding
  double value_bytes = 0;
  double index_bytes = 0;         ///< columns, offsets, masks
  double pointer_bytes = 0;       ///< rows, chunks, blocks
  double copied_bytes = 0;        ///< gather-blocked: columns of the copied elements
  std::size_t without_index = 0;  ///< stored values that need no column
  double passed_on_bytes = 0;     ///< binned: products written by one pass and read by the next
  bool sums_into_y = false;       ///< y is written, read and written again (symmetric)

  [[nodiscard]] double matrix_bytes() const {
    return value_bytes + index_bytes + pointer_bytes + copied_bytes;
  }
};

/// Vectors of doubles or floats. x and y must not overlap.
template <class Vector>
class Product {
 public:
  Product() = default;
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  virtual ~Product() = default;

  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::int64_t columns() const = 0;
  [[nodiscard]] virtual const Format& format() const = 0;
  [[nodiscard]] virtual const Footprint& footprint() const = 0;
  /// Takes effect from the next product on.
  virtual void set(const Execution& execution) = 0;
  [[nodiscard]] virtual const Execution& execution() const = 0;
  /// x: columns(), y: rows() elements. With beta = 0, y is not read.
  virtual void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const = 0;
};

/// Errors: a format that the matrix cannot have (blocks that do not divide it, a triangle of an
/// unsymmetric matrix), and more padding than `most_padding` stored values per entry. CSR refers to
/// `matrix`, which has to outlive the product.
template <class Vector, class Value, class Index>
[[nodiscard]] Result<std::unique_ptr<Product<Vector>>> make_product(
    const CsrMatrix<Value, Index>& matrix, const Format& format, const Execution& execution,
    double most_padding = 16);

}  // namespace ridge::spmv
