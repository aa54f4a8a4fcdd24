// What a region does with cache lines: how much of each it uses, what capacity would hold what it
// uses again, which lines its threads write in common.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ridge {

/// With a fully associative LRU cache of this capacity behind the first level, the region would
/// read so many bytes from below it.
struct MissCurvePoint {
  std::uint64_t capacity_bytes = 0;
  std::uint64_t misses_bytes = 0;

  friend bool operator==(const MissCurvePoint&, const MissCurvePoint&) = default;
};

/// By rising capacity; between two points the earlier one holds.
using MissCurve = std::vector<MissCurvePoint>;

/// nullopt below the first point.
[[nodiscard]] std::optional<std::uint64_t> misses_with(const MissCurve& curve,
                                                       std::uint64_t capacity_bytes);

/// The first point above `capacity_bytes` with at least `share` (0 to 1) fewer misses than that
/// capacity has: "reuse just misses the cache, this much would hold it". nullopt when there is
/// none.
[[nodiscard]] std::optional<MissCurvePoint> capacity_that_saves(const MissCurve& curve,
                                                                std::uint64_t capacity_bytes,
                                                                double share);

/// Lines that two or more cores write within the region at about the same time.
struct LineSharing {
  std::uint64_t lines = 0;
  std::uint64_t falsely = 0;        ///< of these: seen to write different words of the line only
  std::uint64_t truly = 0;          ///< of these: seen to write the same word
  std::uint64_t invalidations = 0;  ///< writes to them that took away another core's copy
  /// Turns that the cores took in the region while lines were watched: a line changes hands at most
  /// once in each, however often it does in truth.
  std::optional<std::uint64_t> turns{};

  friend bool operator==(const LineSharing&, const LineSharing&) = default;
};

}  // namespace ridge
