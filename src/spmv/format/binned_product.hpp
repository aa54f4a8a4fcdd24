// Internal to product.cpp.
#pragma once

#include <cstdint>
#include <utility>

#include "spmv/format/binned.hpp"
#include "spmv/format/format_product.hpp"

namespace ridge::spmv {

/// Two passes, with the products of all entries in between.
template <class Vector, class Value, class Index>
class BinnedProduct : public FormatProduct<Vector, Value, Index> {
 public:
  BinnedProduct(BinnedMatrix<Value, Index> matrix, const Format& format, const Footprint& footprint,
                const Execution& execution)
      : Base(format, footprint, matrix.rows, matrix.columns),
        matrix_(std::move(matrix)),
        products_(matrix_.stored()) {
    set_here(execution);
  }

  void set(const Execution& execution) override { set_here(execution); }

  void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const override {
    const Operands<Vector> operands{x, y, alpha, beta};
    const BinnedView<Value, Index> view = matrix_.view();
    run_parts(pieces_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
      this->table().multiply_strips(view, operands, products_.data(), first, last);
    });
    run_parts(bins_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
      this->table().sum_bins(view, operands, products_.data(), first, last);
    });
  }

 private:
  using Base = FormatProduct<Vector, Value, Index>;

  void set_here(const Execution& execution) {
    this->keep_by_entries(execution);
    pieces_ = Work::shared_out(matrix_.pieces(), this->threads(), [&](std::int64_t piece) {
      return matrix_.piece_begin[static_cast<std::size_t>(piece)];
    });
    bins_ = Work::shared_out(matrix_.bins, this->threads(), [&](std::int64_t bin) {
      return matrix_.bin_begin[static_cast<std::size_t>(bin)];
    });
  }

  BinnedMatrix<Value, Index> matrix_;
  Work pieces_;
  Work bins_;
  mutable Array<Vector> products_;
};

}  // namespace ridge::spmv
