#include "spmv/format/product.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/binned_product.hpp"
#include "spmv/format/footprints.hpp"
#include "spmv/format/format_product.hpp"
#include "spmv/format/symmetric_product.hpp"

namespace ridge::spmv {
namespace {

bool begins_at_a_line(const void* place) {
  constexpr std::uintptr_t kLine = 64;
  return reinterpret_cast<std::uintptr_t>(place) % kLine == 0;
}

/// The units of a format (rows, chunks, blocks) one after the other: number of units and entries
/// before each from work_of(), the kernel's call from part().
template <class Vector, class Value, class Index, class Matrix>
class OnePassProduct : public FormatProduct<Vector, Value, Index> {
 public:
  OnePassProduct(Matrix matrix, const Format& format, const Footprint& footprint, std::int64_t rows,
                 std::int64_t columns, const Execution& execution)
      : Base(format, footprint, rows, columns), matrix_(std::move(matrix)) {
    set_here(execution);
  }

  void set(const Execution& execution) override { set_here(execution); }

  void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const override {
    const Operands<Vector> operands{x, y, alpha, beta};
    Tuning tuning = this->execution().tuning;
    tuning.stream_y = tuning.stream_y && beta == 0 && begins_at_a_line(y);
    run_parts(work_, this->execution().schedule,
              [&](std::int64_t first, std::int64_t last, int thread) {
                part(matrix_, operands, tuning, first, last, thread);
              });
  }

 private:
  using Base = FormatProduct<Vector, Value, Index>;

  void set_here(const Execution& execution) {
    this->keep(execution);
    work_ = work_of(matrix_);
    if constexpr (requires { matrix_.widest; }) {
      room_.clear();
      for (int t = 0; t < this->threads(); ++t) {
        room_.emplace_back(matrix_.widest);
      }
    }
  }

  [[nodiscard]] Work work_of(const CsrView<Value, Index>& a) const {
    return Work::shared_out(this->rows(), this->threads(),
                            [&](std::int64_t i) { return std::int64_t{a.row_begin[i]}; });
  }
  [[nodiscard]] Work work_of(const SellMatrix<Value, Index>& a) const {
    return Work::shared_out(a.chunks(), this->threads(), [&](std::int64_t c) {
      return a.chunk_begin[static_cast<std::size_t>(c)];
    });
  }
  [[nodiscard]] Work work_of(const PatternSellMatrix<Value, Index>& a) const {
    return Work::shared_out(a.chunks(), this->threads(), [&](std::int64_t c) {
      return c == a.chunks() ? static_cast<std::int64_t>(a.stored())
                             : a.chunk[static_cast<std::size_t>(c)].value;
    });
  }
  [[nodiscard]] Work work_of(const BcsrMatrix<Value, Index>& a) const {
    return Work::shared_out(std::int64_t{a.block_rows}, this->threads(), [&](std::int64_t i) {
      return std::int64_t{a.row_begin[static_cast<std::size_t>(i)]};
    });
  }
  [[nodiscard]] Work work_of(const GatherBlockedMatrix<Value, Index>& a) const {
    return Work::shared_out(a.blocks(), this->threads(), [&](std::int64_t b) {
      return a.sell
          .chunk_begin[static_cast<std::size_t>(a.block_begin[static_cast<std::size_t>(b)])];
    });
  }

  void part(const CsrView<Value, Index>& a, const Operands<Vector>& operands, const Tuning& tuning,
            std::int64_t first, std::int64_t last, int /*thread*/) const {
    this->table().csr(a, operands, tuning, first, last);
  }
  void part(const SellMatrix<Value, Index>& a, const Operands<Vector>& operands,
            const Tuning& tuning, std::int64_t first, std::int64_t last, int /*thread*/) const {
    this->table().sell(a.view(), operands, tuning, first, last);
  }
  void part(const PatternSellMatrix<Value, Index>& a, const Operands<Vector>& operands,
            const Tuning& tuning, std::int64_t first, std::int64_t last, int /*thread*/) const {
    this->table().pattern(a.view(), operands, tuning, first, last);
  }
  void part(const BcsrMatrix<Value, Index>& a, const Operands<Vector>& operands,
            const Tuning& tuning, std::int64_t first, std::int64_t last, int /*thread*/) const {
    this->table().bcsr(a.view(), operands, tuning, first, last);
  }
  void part(const GatherBlockedMatrix<Value, Index>& a, const Operands<Vector>& operands,
            const Tuning& tuning, std::int64_t first, std::int64_t last, int thread) const {
    this->table().gather_block(a.view(), operands, tuning,
                               room_[static_cast<std::size_t>(thread)].data(), first, last);
  }

  Matrix matrix_;
  Work work_;
  mutable std::vector<Array<Vector>> room_;
};

template <class Value, class Index>
std::int64_t window(const CsrMatrix<Value, Index>& matrix, const Format& format) {
  return format.sigma == 0 ? std::max<std::int64_t>(2, std::int64_t{matrix.rows}) : format.sigma;
}

/// The block of the format, or the one that the matrix has; an error if there is none.
template <class Value, class Index>
Result<std::int32_t> block_of(const CsrMatrix<Value, Index>& matrix, const Format& format) {
  const std::int32_t block = format.block != 0 ? format.block : find_block(matrix);
  if (block < 2) {
    return fail(ErrorCode::bad_input, "the matrix has no dense blocks",
                "Name their size, as in bcsr-3x3, to fill them with zeros.");
  }
  if (matrix.rows % block != 0 || matrix.columns % block != 0) {
    return fail(ErrorCode::bad_input, fmt::format("blocks of {0} x {0} do not divide {1} x {2}",
                                                  block, matrix.rows, matrix.columns));
  }
  return block;
}

Result<void> check_padding(double padding, double most, const Format& format) {
  if (padding > most) {
    return fail(
        ErrorCode::bad_input,
        fmt::format("{} would store {:.3g} values for each entry", name_of(format), padding),
        "Sort more rows together (a larger sigma) or take smaller chunks or blocks.");
  }
  return {};
}

template <class Vector, class Value, class Index, class Matrix>
std::unique_ptr<Product<Vector>> product_of(const CsrMatrix<Value, Index>& matrix, Matrix converted,
                                            const Format& format, const Execution& execution) {
  const Footprint footprint = footprint_of(converted);
  return std::make_unique<OnePassProduct<Vector, Value, Index, Matrix>>(
      std::move(converted), format, footprint, std::int64_t{matrix.rows},
      std::int64_t{matrix.columns}, execution);
}

template <class Vector, class Value, class Index>
Result<std::unique_ptr<Product<Vector>>> make_sell(const CsrMatrix<Value, Index>& matrix,
                                                   const Format& format, const Execution& execution,
                                                   double most) {
  const double padding = sell_padding(matrix, format.chunk_rows, window(matrix, format));
  if (auto checked = check_padding(padding, most, format); !checked) {
    return tl::make_unexpected(checked.error());
  }
  auto sell = to_sell(matrix, format.chunk_rows, window(matrix, format));
  if (format.kind == FormatKind::sell_short) {
    add_short_indices(sell);
  }
  if (format.kind == FormatKind::gather_blocked) {
    return product_of<Vector>(matrix, to_gather_blocked(std::move(sell)), format, execution);
  }
  return product_of<Vector>(matrix, std::move(sell), format, execution);
}

template <class Vector, class Value, class Index>
Result<std::unique_ptr<Product<Vector>>> make_blocked(const CsrMatrix<Value, Index>& matrix,
                                                      Format format, const Execution& execution,
                                                      double most) {
  const auto block = block_of(matrix, format);
  if (!block) {
    return tl::make_unexpected(block.error());
  }
  format.block = *block;
  const double fill = block_fill(matrix, *block);
  if (auto checked = check_padding(fill == 0 ? 1 : 1 / fill, most, format); !checked) {
    return tl::make_unexpected(checked.error());
  }
  auto blocks = to_bcsr(matrix, *block);
  if (format.kind == FormatKind::bcsr) {
    return product_of<Vector>(matrix, std::move(blocks), format, execution);
  }
  return product_of<Vector>(matrix, to_pattern_sell(blocks), format, execution);
}

}  // namespace

template <class Vector, class Value, class Index>
Result<std::unique_ptr<Product<Vector>>> make_product(const CsrMatrix<Value, Index>& matrix,
                                                      const Format& format,
                                                      const Execution& execution,
                                                      double most_padding) {
  switch (format.kind) {
    case FormatKind::csr: {
      const CsrView<Value, Index> view{static_cast<std::int64_t>(matrix.entries()),
                                       matrix.row_begin.data(), matrix.column.data(),
                                       matrix.value.data()};
      return std::make_unique<OnePassProduct<Vector, Value, Index, CsrView<Value, Index>>>(
          view, format, footprint_of(matrix, matrix.entries()), std::int64_t{matrix.rows},
          std::int64_t{matrix.columns}, execution);
    }
    case FormatKind::pattern:
      // Rows of like length have no padding to speak of: then it need not be counted.
      if (sell_padding(matrix, 32, 1) > most_padding) {
        if (auto checked = check_padding(pattern_padding(matrix), most_padding, format); !checked) {
          return tl::make_unexpected(checked.error());
        }
      }
      return product_of<Vector>(matrix, to_pattern_sell(matrix), format, execution);
    case FormatKind::bcsr:
    case FormatKind::blocked_pattern:
      return make_blocked<Vector>(matrix, format, execution, most_padding);
    case FormatKind::binned: {
      auto binned = to_binned(matrix, bin_sizes(std::int64_t{matrix.rows},
                                                std::int64_t{matrix.columns}, matrix.entries()));
      const Footprint footprint = footprint_of<Vector>(binned);
      return std::make_unique<BinnedProduct<Vector, Value, Index>>(std::move(binned), format,
                                                                   footprint, execution);
    }
    case FormatKind::symmetric: {
      if (!is_symmetric(matrix)) {
        return fail(ErrorCode::bad_input, "the matrix is not symmetric");
      }
      auto upper = upper_triangle(matrix);
      Footprint footprint = footprint_of(upper, matrix.entries());
      footprint.sums_into_y = true;
      return std::make_unique<SymmetricProduct<Vector, Value, Index>>(std::move(upper), format,
                                                                      footprint, execution);
    }
    default:
      return make_sell<Vector>(matrix, format, execution, most_padding);
  }
}

template Result<std::unique_ptr<Product<double>>> make_product(
    const CsrMatrix<double, std::int32_t>&, const Format&, const Execution&, double);
template Result<std::unique_ptr<Product<double>>> make_product(
    const CsrMatrix<double, std::int64_t>&, const Format&, const Execution&, double);
template Result<std::unique_ptr<Product<float>>> make_product(const CsrMatrix<float, std::int32_t>&,
                                                              const Format&, const Execution&,
                                                              double);
template Result<std::unique_ptr<Product<float>>> make_product(const CsrMatrix<float, std::int64_t>&,
                                                              const Format&, const Execution&,
                                                              double);
template Result<std::unique_ptr<Product<double>>> make_product(
    const CsrMatrix<float, std::int32_t>&, const Format&, const Execution&, double);
template Result<std::unique_ptr<Product<double>>> make_product(
    const CsrMatrix<float, std::int64_t>&, const Format&, const Execution&, double);

}  // namespace ridge::spmv
