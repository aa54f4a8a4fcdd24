// Loops as the compiler sees them: how often they run, what they access where, what they compute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/polynomial.hpp"

namespace ridge {

/// How often a loop runs where it is entered: span / divisor + 1, rounded down.
struct TripCount {
  Polynomial span;
  std::int64_t divisor = 1;  ///< positive

  /// nullopt: a symbol has no value, or the number does not fit; 0 where the span is negative.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Polynomial::Values& values) const;
  /// "N - 2", "(n - 1)/2 + 1".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const TripCount&, const TripCount&) = default;
};

/// One loop of a nest. Its counter takes first, first + step, first + 2 step ...
struct LoopLevel {
  std::string counter;  ///< variable of the source; "i1" and the like where it has none
  Polynomial first;
  std::int64_t step = 1;
  std::optional<TripCount> trips;  ///< nullopt: not known before it runs
  unsigned line = 0;               ///< 0: unknown

  friend bool operator==(const LoopLevel&, const LoopLevel&) = default;
};

/// One load or store.
struct ArrayAccess {
  std::string array;  ///< variable of the source: "a", "y", "m.values"
  /// In bytes from the start of the array; in counters and parameters. nullopt: it depends on what
  /// the loop reads.
  std::optional<Polynomial> offset;
  std::string index_array;  ///< whose elements the address depends on; empty: none
  unsigned bytes = 0;       ///< of one element
  unsigned depth = 1;       ///< loops around it, up to all levels of the nest
  bool is_write = false;
  bool is_conditional = false;  ///< not in every iteration
  unsigned line = 0;

  /// "read a[N*j + i - 1]", "write y[r]", "read x[col[...]]".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const ArrayAccess&, const ArrayAccess&) = default;
};

/// How often an iteration computes something.
struct LoopOperation {
  std::string what;       ///< "add", "mul", "fma", "div", "sqrt", or the function that is called
  std::string precision;  ///< "fp64"; empty: of a call
  unsigned count = 0;
  bool is_conditional = false;

  friend bool operator==(const LoopOperation&, const LoopOperation&) = default;
};

struct LoopNest {
  std::string function;
  std::string file;
  std::vector<LoopLevel> levels;  ///< outermost first, at least one
  std::vector<ArrayAccess> accesses;
  std::vector<LoopOperation> operations;  ///< of an iteration of the innermost loop

  friend bool operator==(const LoopNest&, const LoopNest&) = default;
};

}  // namespace ridge
