// Layer conditions: which reuse of a loop nest a cache of a given size can hold, in symbols of the
// source (Stengel, Treibig, Hager and Wellein 2015; the sums of distances are those of Hammer's
// Kerncraft, 2017). A cache is taken as fully associative with least recently used replacement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/traffic/reuse.hpp"
#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// One way in which a cache may serve the accesses of the innermost loop.
struct ReuseOption {
  /// What the cache must hold; nullopt: nothing, this is what remains when no condition is true.
  std::optional<Polynomial> bytes;
  unsigned hits = 0;
  unsigned misses = 0;  ///< accesses whose line comes from beyond, reads and writes
  // What then crosses the boundary below, in bytes per iteration of the innermost loop:
  double read = 0.0;
  double read_for_writes = 0.0;  ///< of `read`: lines that are only written
  double written = 0.0;

  friend bool operator==(const ReuseOption&, const ReuseOption&) = default;
};

struct LayerConditions {
  std::vector<ReuseOption> options;  ///< fewest misses first; the last needs nothing
  unsigned written = 0;              ///< streams of lines that are written: each is written back
  /// Accesses that are left out: their addresses depend on data, or are no sums of counters.
  std::vector<std::string> left_out;

  friend bool operator==(const LayerConditions&, const LayerConditions&) = default;
};

/// Of all accesses of the nest. Hits and misses count those of the innermost loop. Beside reuse
/// over distances (stencils) there is that which a loop carries: what one of its iterations touches
/// is touched again by the next (the vector of a matrix-vector product; the line that a walk over
/// columns comes back to). `values`: of all symbols, to know which distance is the shorter one.
/// Errors: `bad_input` where a symbol has no value, named in the message, a number does not fit, or
/// trips are not known.
[[nodiscard]] Result<LayerConditions> layer_conditions(const LoopNest& nest,
                                                       const Polynomial::Values& values);

/// The same of a nest that has been read.
[[nodiscard]] LayerConditions conditions_of(const Walk& walk, Distances distances);

/// The first option whose condition is true in a cache of this size.
[[nodiscard]] const ReuseOption& option_in(const LayerConditions& conditions,
                                           const Polynomial::Values& values,
                                           std::uint64_t cache_bytes);

/// Whether the option's condition is true.
[[nodiscard]] bool holds_in(const ReuseOption& option, const Polynomial::Values& values,
                            std::uint64_t cache_bytes);

/// Up to which value of one symbol, the others having theirs, the condition is true; nullopt: it
/// does not depend on it, or is true for none or all up to 2^40.
[[nodiscard]] std::optional<std::int64_t> true_up_to(const ReuseOption& option,
                                                     const std::string& symbol,
                                                     const Polynomial::Values& values,
                                                     std::uint64_t cache_bytes);

}  // namespace ridge::analyze
