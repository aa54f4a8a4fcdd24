// What a study says, in words.
#pragma once

#include <vector>

#include "core/sparse_study.hpp"

namespace ridge::spmv {

/// What limits the product, which format to use and from how many products on, what another order,
/// several vectors and powers buy. From timings; where they do not differ by more than their
/// spread, that is said. `study` has its facts, alphas and timings.
[[nodiscard]] std::vector<SparseFinding> advice(const SparseStudy& study);

}  // namespace ridge::spmv
