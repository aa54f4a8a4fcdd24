// How far a run is, and how long it still takes. Pure: whoever looks brings the time.
#pragma once

#include <optional>
#include <vector>

#include "core/quantity/units.hpp"

namespace ridge::measure {

/// The share done is that of counts, which need not go on evenly: counts of a loop may all come
/// before its work (a known number of turns), or behind it (counters in registers).
class Pace {
 public:
  /// The share of the counts, 0 to 1, `elapsed` after the start; later calls are later.
  void add(Seconds elapsed, double share);

  /// Never falls; unknown before the first counts, and once all of them are there although the run
  /// goes on.
  [[nodiscard]] std::optional<double> done() const;
  /// Up to the end, if the rest goes as fast as the later half of the time so far; unknown where
  /// done() is, and where nothing was done in that half.
  [[nodiscard]] std::optional<Seconds> remaining() const;

 private:
  struct Point {
    Seconds elapsed;
    double share = 0.0;
  };
  std::vector<Point> points_;  ///< at most kMost of them
};

}  // namespace ridge::measure
