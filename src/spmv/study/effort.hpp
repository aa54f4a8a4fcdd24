// How long a study times: what the size of the matrix is worth.
#pragma once

#include "core/quantity/units.hpp"
#include "spmv/study/turns.hpp"

namespace ridge::spmv {

struct Effort {
  Seconds budget{60};    ///< for all timing together, about
  Seconds sample{2e-3};  ///< of a product, or one product where that takes longer
  Seconds read{1e-3};    ///< of b_S, before and after each sample
  int most_rounds = 31;
  bool again_when_noisy = true;    ///< for as long as the first time
  bool on_several_threads = true;  ///< an order or several threads may pay
};

/// Of a matrix of so many bytes (as CSR). Below 64 KiB, where a product takes microseconds, a start
/// of threads costs more than it: one thread, nine rounds of short samples, none repeated. From
/// there up the budget grows in proportion to the size, from 1 s to `full` at the size of the
/// last-level cache.
[[nodiscard]] Effort effort_of(Bytes matrix, Bytes last_level_cache, Seconds full);

/// For what is timed in turn within `budget`, a part of the effort's.
[[nodiscard]] TurnRules rules_of(const Effort& effort, Seconds budget);

}  // namespace ridge::spmv
