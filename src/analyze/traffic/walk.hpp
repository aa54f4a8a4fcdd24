// A loop nest as numbers: how often each loop runs, and how far each access moves with each of
// them. Counters are counted from 0 by 1 here, so that a loop that runs backwards has negative
// steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// A polynomial and its value.
struct Known {
  Polynomial polynomial;
  std::int64_t value = 0;
};

struct WalkedLoop {
  Known trips;        ///< where they depend on loops around: the most
  double mean = 0.0;  ///< trips, over all iterations of the loops around
};

/// Accesses of one array whose addresses differ by what does not change in the nest.
struct Stream {
  std::string array;
  unsigned bytes = 0;  ///< of one element
  unsigned depth = 1;  ///< loops around it
  /// Bytes that one iteration of each loop moves it, outermost first.
  std::vector<Known> steps;
  /// Where its accesses lie beside one another, by value, with the polynomial that has it.
  std::map<std::int64_t, Polynomial> places;
  unsigned accesses = 0;
  bool is_read = false;
  bool is_written = false;
};

struct Walk {
  std::vector<WalkedLoop> loops;  ///< outermost first
  std::vector<Stream> streams;
  std::vector<std::string> left_out;  ///< accesses whose addresses depend on data, or are no sums
  double iterations = 0.0;            ///< of the innermost loop, in the whole nest
};

/// `values`: of all symbols. Errors: `bad_input` where a symbol has no value, named in the message,
/// a number does not fit, a loop is not counted or never runs.
[[nodiscard]] Result<Walk> walk_of(const LoopNest& nest, const Polynomial::Values& values);

}  // namespace ridge::analyze
