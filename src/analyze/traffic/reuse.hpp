// When the accesses of a nest come back to what has been touched before.
#pragma once

#include <optional>
#include <vector>

#include "analyze/traffic/footprint.hpp"

namespace ridge::analyze {

/// A time: so many iterations of the innermost loop, as steps / divisor.
struct Window {
  double steps = 0.0;
  Polynomial numerator;
  std::int64_t divisor = 1;
  std::size_t loop = 0;  ///< the outermost one of which an iteration fits in
  Known times;           ///< so many iterations of it
};

/// An access, or several that share lines, and when another one has touched the same.
struct Reference {
  Cluster cluster;
  bool is_walk = false;       ///< element by element, with the innermost loop
  std::optional<Window> gap;  ///< since the one before it; absent: it is the first
  Polynomial bytes_to_next;   ///< what must be held for the reuse over the gap
  double base = 0.0;          ///< bytes per iteration of the innermost loop, with nothing held
  std::vector<Rung> rungs;
};

/// What tells how far apart accesses of a stream are in time that goes from element to element:
/// their addresses, as if the loops did not leave out anything (Kerncraft's way, with the ends of
/// rows in), or the iterations between them (of loops that are cut into blocks).
enum class Distances { addresses, iterations };

[[nodiscard]] std::vector<Reference> references_of(const Walk& walk, Distances distances);

/// All windows over which something is reused, the longest first.
[[nodiscard]] std::vector<Window> windows_of(const Walk& walk,
                                             const std::vector<Reference>& references);

/// What a reference touches in a window, if nothing before it has.
[[nodiscard]] Polynomial need_of(const Walk& walk, const Reference& reference,
                                 const Window& window);

/// Bytes per iteration from beyond while reuse over the window is held; nullptr: none is.
[[nodiscard]] double traffic_of(const Reference& reference, const Window* window);

/// Whether it counts as an access of the innermost loop that comes from beyond.
[[nodiscard]] bool is_miss(const Walk& walk, const Reference& reference, double traffic);

/// Bytes between the first and the last element that the nest touches, without gaps of lines.
[[nodiscard]] Polynomial extent_of(const Walk& walk, const Stream& stream);

/// Iterations of the innermost loop in one iteration of this loop.
[[nodiscard]] Known iterations_within(const Walk& walk, std::size_t loop);

}  // namespace ridge::analyze
