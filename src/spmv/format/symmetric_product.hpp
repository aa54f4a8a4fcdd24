// Internal to product.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "spmv/format/format_product.hpp"
#include "spmv/format/symmetric.hpp"

namespace ridge::spmv {

/// Threads own rows; what they add to rows of later threads waits in memory of their own.
template <class Vector, class Value, class Index>
class SymmetricProduct : public FormatProduct<Vector, Value, Index> {
 public:
  SymmetricProduct(CsrMatrix<Value, Index> upper, const Format& format, const Footprint& footprint,
                   const Execution& execution)
      : Base(format, footprint, upper.rows, upper.columns), upper_(std::move(upper)) {
    set_here(execution);
  }

  void set(const Execution& execution) override { set_here(execution); }

  void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const override {
    const SymmetricView<Value, Index> view{upper_.row_begin.data(), upper_.column.data(),
                                           upper_.value.data()};
    const Operands<Vector> operands{x, y, alpha, beta};
    // One thread at a time needs the others' rows scaled before it adds to them: three steps.
    run_parts(work_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int thread) {
      for (std::int64_t i = first; i < last; ++i) {
        y[i] = beta == 0 ? Vector{0} : beta * y[i];
      }
      Array<Vector>& below = below_[static_cast<std::size_t>(thread)];
      std::fill(below.begin() + last, below.begin() + reach_[static_cast<std::size_t>(thread)],
                Vector{0});
      this->table().symmetric(view, operands, below.data(), first, last);
    });
    run_parts(work_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int thread) {
      for (int before = 0; before < thread; ++before) {
        const Vector* from = below_[static_cast<std::size_t>(before)].data();
        const std::int64_t end = std::min(last, reach_[static_cast<std::size_t>(before)]);
        for (std::int64_t i = first; i < end; ++i) {
          y[i] += from[i];
        }
      }
    });
  }

 private:
  using Base = FormatProduct<Vector, Value, Index>;

  void set_here(const Execution& execution) {
    this->keep_by_entries(execution);
    work_ = Work::shared_out(this->rows(), this->threads(), [&](std::int64_t i) {
      return std::int64_t{upper_.row_begin[static_cast<std::size_t>(i)]};
    });
    below_.clear();
    reach_.clear();
    for (int t = 0; t < this->threads(); ++t) {
      const std::int64_t last = work_.bounds[static_cast<std::size_t>(t) + 1];
      const std::int64_t farthest = reach(work_.bounds[static_cast<std::size_t>(t)], last);
      reach_.push_back(farthest);
      below_.emplace_back(static_cast<std::size_t>(farthest));
    }
  }
  /// Behind the last row that the rows first to last - 1 add to; at least `last`.
  [[nodiscard]] std::int64_t reach(std::int64_t first, std::int64_t last) const {
    std::int64_t farthest = last;
    for (std::int64_t i = first; i < last; ++i) {
      const auto end = static_cast<std::size_t>(upper_.row_begin[static_cast<std::size_t>(i) + 1]);
      if (end > static_cast<std::size_t>(upper_.row_begin[static_cast<std::size_t>(i)])) {
        farthest = std::max<std::int64_t>(farthest, std::int64_t{upper_.column[end - 1]} + 1);
      }
    }
    return farthest;
  }

  CsrMatrix<Value, Index> upper_;
  Work work_;
  mutable std::vector<Array<Vector>> below_;
  std::vector<std::int64_t> reach_;
};

}  // namespace ridge::spmv
