// One thing of several that are timed in turn, and the vectors that it multiplies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spmv/kernel/schedule.hpp"
#include "spmv/matrix/array.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/study/effort.hpp"
#include "spmv/study/read_bandwidth.hpp"
#include "spmv/study/turns.hpp"

namespace ridge::spmv {

struct Contender {
  std::function<void()> run;
  std::function<void()> prepare = [] {};  ///< before each sample, outside of its time
};

/// A sample takes as long as the effort says or one run, with the bandwidth read before and after
/// it. Where the machine is too busy to rank them, as long again. `budget`: a part of the effort's.
[[nodiscard]] std::vector<Samples> time_in_turn(
    const std::vector<Contender>& contenders, ReadBandwidth& bandwidth, const Effort& effort,
    Seconds budget, const std::function<void(const std::string&)>& progress);

/// Vectors of one matrix, first touched as its rows are shared out.
struct Vectors {
  Array<double> x;
  Array<double> y;

  template <class Index>
  Vectors(const CsrMatrix<double, Index>& matrix, int threads, std::size_t width = 1)
      : x(static_cast<std::size_t>(matrix.columns) * width),
        y(static_cast<std::size_t>(matrix.rows) * width) {
    touch(x, threads, 1);
    touch(y, threads, 0);
  }

 private:
  static void touch(Array<double>& array, int threads, double value);
};

}  // namespace ridge::spmv
