// Internal to product.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "spmv/binned.hpp"
#include "spmv/product.hpp"

namespace ridge::spmv {

/// Two passes, with the products of all entries in between.
template <class Vector, class Value, class Index>
class BinnedProduct : public Product<Vector> {
 public:
  BinnedProduct(BinnedMatrix<Value, Index> matrix, const Format& format, Footprint footprint,
                const Execution& execution)
      : matrix_(std::move(matrix)),
        format_(format),
        footprint_(footprint),
        products_(matrix_.stored()) {
    set_here(execution);
  }

  [[nodiscard]] std::int64_t rows() const override { return matrix_.rows; }
  [[nodiscard]] std::int64_t columns() const override { return matrix_.columns; }
  [[nodiscard]] const Format& format() const override { return format_; }
  [[nodiscard]] const Footprint& footprint() const override { return footprint_; }
  void set(const Execution& execution) override { set_here(execution); }
  [[nodiscard]] const Execution& execution() const override { return execution_; }

  void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const override {
    const Operands<Vector> operands{x, y, alpha, beta};
    const BinnedView<Value, Index> view = matrix_.view();
    run_parts(pieces_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
      table_->multiply_strips(view, operands, products_.data(), first, last);
    });
    run_parts(bins_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
      table_->sum_bins(view, operands, products_.data(), first, last);
    });
  }

 private:
  void set_here(const Execution& execution) {
    execution_ = execution;
    execution_.threads = std::max(1, execution.threads);
    execution_.schedule = Schedule::entries;
    table_ = &kernels<Value, Vector, Index>(execution.isa);
    pieces_ = Work::shared_out(matrix_.pieces(), execution_.threads, [&](std::int64_t piece) {
      return matrix_.piece_begin[static_cast<std::size_t>(piece)];
    });
    bins_ = Work::shared_out(matrix_.bins, execution_.threads, [&](std::int64_t bin) {
      return matrix_.bin_begin[static_cast<std::size_t>(bin)];
    });
  }

  BinnedMatrix<Value, Index> matrix_;
  Format format_;
  Footprint footprint_;
  Execution execution_;
  const Kernels<Value, Vector, Index>* table_ = nullptr;
  Work pieces_;
  Work bins_;
  mutable Array<Vector> products_;
};

}  // namespace ridge::spmv
