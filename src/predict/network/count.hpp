// A count that remembers when it has left the range in which counts are exact.
#pragma once

#include <cstdint>

#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

/// A whole number up to 2^53. Once a sum or product lies beyond, the value stays "too large"; only
/// a product with 0 is 0 again.
class Count {
 public:
  constexpr Count() = default;
  constexpr Count(std::uint64_t value)  // NOLINT(google-explicit-constructor): a number
      : value_(value > kLargestCount ? kTooLarge : value) {}

  [[nodiscard]] constexpr bool too_large() const { return value_ == kTooLarge; }
  /// kLargestCount + 1 when it is too large.
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  // Both operands are at most 2^53 + 1: the sum fits, the product is looked at before it is made.
  friend constexpr Count operator+(Count a, Count b) { return {a.value_ + b.value_}; }
  friend constexpr Count operator*(Count a, Count b) {
    if (a.value_ == 0 || b.value_ == 0) {
      return {0};
    }
    return a.value_ > kLargestCount / b.value_ ? Count(kTooLarge) : Count(a.value_ * b.value_);
  }
  /// Never below 0; what is too large stays so.
  friend constexpr Count operator-(Count a, Count b) {
    if (a.too_large()) {
      return a;
    }
    return a.value_ > b.value_ ? Count(a.value_ - b.value_) : Count(0);
  }
  Count& operator+=(Count other) { return *this = *this + other; }
  Count& operator*=(Count other) { return *this = *this * other; }
  friend constexpr bool operator==(Count a, Count b) { return a.value_ == b.value_; }

 private:
  static constexpr std::uint64_t kTooLarge = kLargestCount + 1;
  std::uint64_t value_ = 0;
};

}  // namespace ridge::predict
