// Loops as the compiler sees them: how often they run, what they access where, what they compute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/note.hpp"
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
  /// Not entered in every iteration of the loop around it. That it may run no time is no condition.
  bool is_conditional = false;
  bool ends_early = false;      ///< a break or return may end it: its trips are the most
  bool is_work_shared = false;  ///< threads divide its iterations among them (OpenMP)

  friend bool operator==(const LoopLevel&, const LoopLevel&) = default;
};

/// One load or store.
struct ArrayAccess {
  std::string array;  ///< variable of the source: "a", "y", "m.values"
  /// In bytes from the start of the array; in counters and parameters. nullopt: it depends on what
  /// the loop reads.
  std::optional<Polynomial> offset;
  std::string index_array;  ///< whose elements the address depends on; empty: none
  unsigned bytes = 0;       ///< that it takes at once
  unsigned depth = 1;       ///< loops around it, up to all levels of the nest
  bool is_write = false;
  bool is_conditional = false;  ///< not in every iteration
  unsigned line = 0;
  unsigned elements = 1;  ///< that `bytes` hold: more than one of vector types
  /// The element as people write it where it is part of a structure: "[i].x"; empty: it is not.
  std::string part;

  /// "read a[N*j + i - 1]", "write y[r]", "read x[col[...]]", "read p[i].x", "read v[i..i + 3]".
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

/// A number that is no polynomial: "n/2", "min(n, m)". It is a symbol of those that use it.
struct DerivedSymbol {
  enum class Kind { quotient, remainder, least, greatest };  ///< towards zero, as in C

  std::string name;
  Kind kind = Kind::quotient;
  Polynomial left;
  Polynomial right;

  friend bool operator==(const DerivedSymbol&, const DerivedSymbol&) = default;
};

struct LoopNest {
  std::string function;
  std::string file;
  std::vector<LoopLevel> levels;  ///< outermost first, at least one
  std::vector<ArrayAccess> accesses;
  std::vector<LoopOperation> operations;  ///< of an iteration of the innermost loop
  std::vector<DerivedSymbol> derived;     ///< each after those that it is made of
  std::vector<Note> notes;                ///< what was assumed, and what was not understood

  friend bool operator==(const LoopNest&, const LoopNest&) = default;
};

/// With the numbers of derived symbols whose parts have values. Those that hold counters of loops
/// want a call for each value of these.
[[nodiscard]] Polynomial::Values with_derived(const LoopNest& nest, Polynomial::Values values);

}  // namespace ridge
