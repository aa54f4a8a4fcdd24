// Sums and products of counts that end at the largest number instead of beginning anew: counts come
// from files and memory that others wrote.
#pragma once

#include <cstdint>
#include <limits>

namespace ridge {

[[nodiscard]] constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

[[nodiscard]] constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                : product;
}

/// 0 where `b` is the larger.
[[nodiscard]] constexpr std::uint64_t saturating_subtract(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

}  // namespace ridge
