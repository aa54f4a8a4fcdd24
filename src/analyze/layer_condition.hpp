// Layer conditions: which reuse of a loop nest a cache of a given size can hold, in symbols of the
// source (Stengel, Treibig, Hager and Wellein 2015; the sums of distances are those of Hammer's
// Kerncraft, 2017). A cache is taken as fully associative with least recently used replacement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// One way in which a cache may serve the accesses of the innermost loop.
struct ReuseOption {
  /// What the cache must hold; nullopt: nothing, this is what remains when no condition is true.
  std::optional<Polynomial> bytes;
  unsigned hits = 0;
  unsigned misses = 0;  ///< accesses whose line comes from beyond, reads and writes

  friend bool operator==(const ReuseOption&, const ReuseOption&) = default;
};

struct LayerConditions {
  std::vector<ReuseOption> options;  ///< fewest misses first; the last needs nothing
  unsigned written = 0;              ///< streams of lines that are written: each is written back
  /// Accesses that are left out: their addresses depend on data, or their stride is not that of an
  /// element.
  std::vector<std::string> left_out;

  friend bool operator==(const LayerConditions&, const LayerConditions&) = default;
};

/// Of the accesses of the innermost loop that go through memory element by element. `values`: of
/// all symbols, to know which distance is the shorter one. Errors: `bad_input` where a symbol has
/// no value, named in the message, or a number does not fit.
[[nodiscard]] Result<LayerConditions> layer_conditions(const LoopNest& nest,
                                                       const Polynomial::Values& values);

/// The first option whose condition is true in a cache of this size.
[[nodiscard]] const ReuseOption& option_in(const LayerConditions& conditions,
                                           const Polynomial::Values& values,
                                           std::uint64_t cache_bytes);

/// Up to which value of one symbol, the others having theirs, the condition is true; nullopt: it
/// does not depend on it, or is true for none or all up to 2^40.
[[nodiscard]] std::optional<std::int64_t> true_up_to(const ReuseOption& option,
                                                     const std::string& symbol,
                                                     const Polynomial::Values& values,
                                                     std::uint64_t cache_bytes);

}  // namespace ridge::analyze
