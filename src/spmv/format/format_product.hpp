// Internal to product.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "spmv/format/product.hpp"

namespace ridge::spmv {

/// What products of all formats know of themselves. How they share out their work is theirs.
template <class Vector, class Value, class Index>
class FormatProduct : public Product<Vector> {
 public:
  FormatProduct(const Format& format, const Footprint& footprint, std::int64_t rows,
                std::int64_t columns)
      : format_(format), footprint_(footprint), rows_(rows), columns_(columns) {}

  [[nodiscard]] std::int64_t rows() const final { return rows_; }
  [[nodiscard]] std::int64_t columns() const final { return columns_; }
  [[nodiscard]] const Format& format() const final { return format_; }
  [[nodiscard]] const Footprint& footprint() const final { return footprint_; }
  [[nodiscard]] const Execution& execution() const final { return execution_; }

 protected:
  /// At least one thread; the kernels of the instruction set.
  void keep(const Execution& execution) {
    execution_ = execution;
    execution_.threads = std::max(1, execution.threads);
    table_ = &kernels<Value, Vector, Index>(execution.isa);
  }
  /// For formats whose parts are shared out by entries, whatever is asked for.
  void keep_by_entries(Execution execution) {
    execution.schedule = Schedule::entries;
    keep(execution);
  }
  [[nodiscard]] int threads() const { return execution_.threads; }
  [[nodiscard]] const Kernels<Value, Vector, Index>& table() const { return *table_; }

 private:
  Format format_;
  Footprint footprint_;
  std::int64_t rows_;
  std::int64_t columns_;
  Execution execution_;
  const Kernels<Value, Vector, Index>* table_ = nullptr;
};

}  // namespace ridge::spmv
