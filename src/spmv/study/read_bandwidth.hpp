// b_S: how fast memory, or the cache that would hold the matrix, can be read at this moment.
#pragma once

#include <cstdint>

#include "core/quantity/units.hpp"
#include "spmv/kernel/kernels.hpp"
#include "spmv/kernel/schedule.hpp"
#include "spmv/matrix/array.hpp"

namespace ridge::spmv {

/// Load-only: reading is all that SpMV does but for y. Each thread reads its part of a buffer as 1,
/// 2 or 4 streams, whichever of these was fastest in the beginning.
class ReadBandwidth {
 public:
  /// `bytes`: of the buffer, first touched by the threads that read it. `least`: what one
  /// measurement takes.
  ReadBandwidth(std::uint64_t bytes, int threads, Isa isa, Seconds least = Seconds(1e-3));

  /// One pass over the buffer, or several that take as long as was said together.
  [[nodiscard]] BytesPerSecond measure();

 private:
  [[nodiscard]] double pass_seconds(int streams, int passes);

  Array<double> buffer_;
  Work work_;
  const Kernels<double, double, std::int32_t>* table_;
  int streams_ = 1;
  int passes_ = 1;
};

}  // namespace ridge::spmv
