// Equations of Einsum: "bhid,bhjd->bhij".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "predict/network/count.hpp"

namespace ridge::predict {

struct Contraction {
  std::vector<std::uint64_t> result;  ///< shape
  /// Combinations of indices in each product of two operands, taken from left to right, where an
  /// index is summed as soon as no later operand and not the result has it.
  std::vector<Count> products;
  /// Elements that a single operand sums; 0 where it is only reordered.
  Count summed = 0;
};

/// nullopt: no such equation, or the shapes do not fit it. Extents of 1 are repeated.
[[nodiscard]] std::optional<Contraction> contraction_of(
    std::string equation, const std::vector<std::vector<std::uint64_t>>& shapes);

}  // namespace ridge::predict
