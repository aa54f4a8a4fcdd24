// Kernels that sampled traffic is held against exact traffic on: nests in the manner of PolyBench,
// and codes with irregular accesses. Each works on its own arrays and returns something that
// depends on all of its work.
#pragma once

#include <string_view>
#include <vector>

namespace sampling {

struct Kernel {
  std::string_view name;
  double (*run)(long size, long repeats);
  long size;     ///< of a run of about a second
  long repeats;  ///< for the same
};

[[nodiscard]] std::vector<Kernel> nests();
[[nodiscard]] std::vector<Kernel> solvers();
[[nodiscard]] std::vector<Kernel> irregular();

/// Reproducible, non-zero values.
[[nodiscard]] std::vector<double> values(long count);

/// xorshift64*.
class Random {
 public:
  unsigned long next() {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 2685821657736338717UL;
  }
  long below(long limit) { return static_cast<long>(next() % static_cast<unsigned long>(limit)); }

 private:
  unsigned long state_ = 88172645463325252UL;
};

}  // namespace sampling
