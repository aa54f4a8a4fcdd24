// How far a function's loops reach into its arrays, and how often they run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// Bytes from the start of an array.
struct Extent {
  std::int64_t first = 0;  ///< of the first byte that is touched; may lie in front of the array
  std::int64_t end = 0;    ///< behind the last one

  friend bool operator==(const Extent&, const Extent&) = default;
};

struct Extents {
  std::map<std::string, Extent> known;
  /// Arrays whose addresses depend, in one access at least, on what the loops read.
  std::set<std::string> unknown;

  friend bool operator==(const Extents&, const Extents&) = default;
};

/// Of all nests together. What happens sometimes counts fully. An array that no loop enters is in
/// neither. Errors: `bad_input` where a parameter has no value (the message names it), a number
/// does not fit 64 bits, or loops on which inner ones depend run more than 2e7 times: these are
/// walked, the others are not.
[[nodiscard]] Result<Extents> extents(const std::vector<LoopNest>& nests,
                                      const Polynomial::Values& values);

/// Of the innermost loop, each time that the nest runs; nullopt: its trip counts depend on what it
/// reads. Errors as above.
[[nodiscard]] Result<std::optional<std::int64_t>> iterations(const LoopNest& nest,
                                                             const Polynomial::Values& values);

}  // namespace ridge::analyze
