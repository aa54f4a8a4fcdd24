// Strong types for physical quantities. `Bytes + Seconds` does not compile (tests/compile_fail),
// `Flops / Bytes` is `FlopsPerByte`. Base units inside, SI prefixes only when printing.
#pragma once

namespace ridge {

/// Exponents of the base dimensions of the Roofline model.
struct Dimension {
  int flop = 0;
  int byte = 0;
  int second = 0;
  int cycle = 0;
  int operation = 0;  ///< integer operations, kept apart from floating-point work

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
  friend constexpr Dimension operator+(Dimension a, Dimension b) {
    return {a.flop + b.flop, a.byte + b.byte, a.second + b.second, a.cycle + b.cycle,
            a.operation + b.operation};
  }
  friend constexpr Dimension operator-(Dimension a, Dimension b) {
    return {a.flop - b.flop, a.byte - b.byte, a.second - b.second, a.cycle - b.cycle,
            a.operation - b.operation};
  }
};

/// A number with a dimension. A quantity without dimension converts to double.
template <Dimension D>
class Quantity {
 public:
  static constexpr Dimension dimension = D;

  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  /// The number in base units (flop, byte, s, cycle).
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr operator double() const  // NOLINT(google-explicit-constructor): a pure number
    requires(D == Dimension{})
  {
    return value_;
  }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity(a.value_ * factor);
  }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity(a.value_ / divisor);
  }

  // By hand: with a defaulted <=> g++ 12 compiles std::min to branches.
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return b < a; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return b <= a; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value_ == b.value_; }

 private:
  double value_ = 0.0;
};

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  return Quantity<A + B>(a.value() * b.value());
}

template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  return Quantity<A - B>(a.value() / b.value());
}

using Number = Quantity<Dimension{}>;
using Flops = Quantity<Dimension{.flop = 1}>;
using Bytes = Quantity<Dimension{.byte = 1}>;
using Seconds = Quantity<Dimension{.second = 1}>;
using Cycles = Quantity<Dimension{.cycle = 1}>;
using IntOps = Quantity<Dimension{.operation = 1}>;
using FlopsPerSecond = Quantity<Dimension{.flop = 1, .second = -1}>;
using BytesPerSecond = Quantity<Dimension{.byte = 1, .second = -1}>;
using FlopsPerByte = Quantity<Dimension{.flop = 1, .byte = -1}>;
using FlopsPerCycle = Quantity<Dimension{.flop = 1, .cycle = -1}>;
using BytesPerCycle = Quantity<Dimension{.byte = 1, .cycle = -1}>;
using IntOpsPerSecond = Quantity<Dimension{.second = -1, .operation = 1}>;
using Hertz = Quantity<Dimension{.second = -1, .cycle = 1}>;  ///< core cycles per second

}  // namespace ridge
