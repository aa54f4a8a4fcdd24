// Which accesses wait for one another across iterations of a loop nest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/loop_nest.hpp"
#include "core/value/note.hpp"

namespace ridge::analyze {

/// What one iteration writes, a later one reads.
struct CarriedDependence {
  const ArrayAccess* written = nullptr;
  const ArrayAccess* read = nullptr;
  std::string loop;           ///< counter of the loop whose iterations these are
  std::int64_t distance = 0;  ///< iterations of it, at least 1
};

/// Of accesses to one array whose addresses differ by a whole number of steps of one loop, up to 8;
/// of each read the nearest write, innermost loop first. Arrays with different names are taken to
/// be different, as in vectorised code. Points into the nest.
[[nodiscard]] std::vector<CarriedDependence> carried_dependences(const LoopNest& nest);
std::vector<CarriedDependence> carried_dependences(LoopNest&&) = delete;

/// "read a[i - 1] in line 5 waits for write a[i] in line 5, 1 iteration of i before": a note each.
[[nodiscard]] std::vector<Note> dependence_notes(const LoopNest& nest);

}  // namespace ridge::analyze
