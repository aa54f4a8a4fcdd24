// How much memory a stream of accesses touches while loops run, and how often it comes back to it.
#pragma once

#include <cstddef>
#include <vector>

#include "analyze/traffic/walk.hpp"

namespace ridge::analyze {

inline constexpr std::int64_t kLineBytes = 64;

/// Places of one stream that share lines, or all of a stream that goes from element to element.
struct Cluster {
  const Stream* stream = nullptr;
  Polynomial width;  ///< bytes from the first place to the end of the last one
  std::int64_t width_value = 0;
};

/// Bytes of the lines that a cluster touches while the loops from `first` on run once, the
/// outermost of them so many times. Elements that lie less than a line apart count as one piece.
[[nodiscard]] Known footprint(const Walk& walk, const Cluster& cluster, std::size_t first,
                              const Known& times);

/// The same with all trips.
[[nodiscard]] Known footprint(const Walk& walk, const Cluster& cluster, std::size_t first);

/// Reuse that a loop carries: its iterations touch what the one before touched.
struct Rung {
  std::size_t loop = 0;  ///< what one iteration of it touches must be held
  double bytes = 0.0;    ///< then cross the boundary below, per iteration of the innermost loop
};

/// Of a cluster, from the innermost such loop outwards. `base`: bytes per iteration without any.
[[nodiscard]] std::vector<Rung> rungs_of(const Walk& walk, const Cluster& cluster, double base);

/// Bytes per iteration of the innermost loop while nothing is held but what the access before used.
[[nodiscard]] double base_traffic(const Walk& walk, const Cluster& cluster);

}  // namespace ridge::analyze
