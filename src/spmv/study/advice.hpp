// What a study says, in words.
#pragma once

#include <vector>

#include "core/value/sparse_study.hpp"

namespace ridge::spmv {

/// What limits the product, which format to use and from how many products on, what another order,
/// several vectors and powers buy. From ratios of what was timed in turn, with the interval of
/// their median (core/quantity/median_interval.hpp): what does not differ beyond the noise and what
/// is too noisy to rank is said. `study` has its facts, alphas and timings.
[[nodiscard]] std::vector<SparseFinding> advice(const SparseStudy& study);

}  // namespace ridge::spmv
