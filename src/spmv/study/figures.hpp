// What samples of a format say: rates, shares of the roofs, the paired ratio to CSR, the pay-off of
// the conversion.
#pragma once

#include <optional>

#include "core/value/sparse_study.hpp"
#include "spmv/study/turns.hpp"

namespace ridge::spmv {

/// What is known of a timing besides its samples.
struct TimedProduct {
  double flops = 0;
  double own_bytes = 0;  ///< least traffic of the format
  double csr_bytes = 0;
  double conversion_seconds = 0;
};

/// Sets everything of `timing` that follows from its samples and those of CSR in the same rounds.
void set_figures(SparseTiming& timing, const Samples& own, const Samples& csr,
                 const TimedProduct& product);

/// Products from which it pays to spend `products` of the old time once, at a speed-up of `ratio`;
/// nullopt if that is not above 1.
[[nodiscard]] std::optional<double> break_even(double products, double ratio);

/// The timing on so many threads that is surely the fastest: of those that are faster than CSR
/// beyond the noise the one whose paired ratio has the largest lower end, else CSR. nullptr where
/// nothing was timed.
[[nodiscard]] const SparseTiming* fastest(const SparseStudy& study, unsigned threads);

}  // namespace ridge::spmv
