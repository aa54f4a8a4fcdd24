// The iterations of a nest one after the other, with the addresses that each accesses.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// Counters of the loops, outermost first, each from 0 by 1.
using Counters = std::vector<std::int64_t>;

/// A polynomial whose parameters have their values: a sum of products of counters.
class CounterPolynomial {
 public:
  CounterPolynomial() = default;
  /// Errors: `bad_input` where a symbol has no value.
  [[nodiscard]] static Result<CounterPolynomial> of(const Polynomial& polynomial,
                                                    const std::vector<std::string>& counters,
                                                    const Polynomial::Values& values);
  [[nodiscard]] std::int64_t at(const Counters& counters) const;
  [[nodiscard]] unsigned degree(std::size_t loop) const;
  /// Whether it is the same in all iterations of this loop.
  [[nodiscard]] bool depends_on(std::size_t loop) const { return degree(loop) > 0; }

 private:
  struct Term {
    std::int64_t factor = 0;
    std::vector<std::uint8_t> powers;  ///< by loop
  };
  std::vector<Term> terms_;
};

/// Elements of index arrays, for accesses whose addresses depend on them.
using IndexValues = std::map<std::string, std::vector<std::int64_t>>;

struct PlacedAccess {
  CounterPolynomial address;  ///< in bytes; of an indirect one, the offset of its index
  unsigned bytes = 0;
  std::size_t depth = 1;
  bool is_write = false;
  /// Of an indirect access: the elements of its index array, and where the array itself begins.
  const std::vector<std::int64_t>* indices = nullptr;
  unsigned index_bytes = 1;
  std::int64_t begin = 0;
};

struct PlacedArray {
  std::string name;
  std::int64_t first = 0;  ///< address of the first byte that the nest touches
  std::int64_t bytes = 0;  ///< up to the last one
  bool is_written = false;
};

/// Where arrays lie: those that are named at their addresses, the others one after the other.
struct Layout {
  std::int64_t alignment = 4096;  ///< of the beginning of each; a page
  std::int64_t gap = 0;           ///< bytes between them
  std::map<std::string, std::int64_t> addresses;
};

class IterationSpace {
 public:
  /// Errors: `bad_input` where a symbol has no value, trips are not known, an address depends on an
  /// index array that is not given, or the arrays do not fit the address space.
  [[nodiscard]] static Result<IterationSpace> of(const LoopNest& nest,
                                                 const Polynomial::Values& values,
                                                 const Layout& layout, const IndexValues& indices);

  [[nodiscard]] std::size_t loops() const { return trips_.size(); }
  /// Of the loop, with the counters of those around it; 0: it is not entered.
  [[nodiscard]] std::int64_t trips(std::size_t loop, const Counters& counters) const;
  /// Whether each loop runs as often in all iterations of those around it.
  [[nodiscard]] bool is_rectangular() const;
  /// Of the innermost loop; estimates where loops depend on those around them. In all:
  [[nodiscard]] double iterations() const;
  /// In one iteration of this loop.
  [[nodiscard]] double iterations_within(std::size_t loop) const;
  /// Iterations of this loop in which what moves by less than a line meets all places in one; at
  /// least 1.
  [[nodiscard]] std::int64_t period_of(std::size_t loop) const;
  /// In the iteration of the outermost loop at this part of it, 0 to 1.
  [[nodiscard]] double iterations_at(double part) const;
  [[nodiscard]] const std::vector<PlacedAccess>& accesses() const { return accesses_; }
  [[nodiscard]] const std::vector<PlacedArray>& arrays() const { return arrays_; }
  /// Iterations of the innermost loop from one that touches new lines to the next, in which what
  /// lies between touches nothing else; at least 1.
  [[nodiscard]] std::int64_t iterations_per_line() const { return iterations_per_line_; }

 private:
  struct Trips {
    CounterPolynomial span;
    std::int64_t divisor = 1;
  };
  friend class Placing;

  [[nodiscard]] double count_from(std::size_t loop, Counters& counters, bool is_one) const;

  std::vector<Trips> trips_;
  std::vector<PlacedAccess> accesses_;
  std::vector<PlacedArray> arrays_;
  std::int64_t iterations_per_line_ = 1;
};

}  // namespace ridge::analyze
