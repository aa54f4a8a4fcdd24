// What could be: the bounds of every region of a profile on a machine. Derived values: recomputed
// whenever a profile is read, never trusted from a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/profile.hpp"
#include "core/units.hpp"

namespace ridge {

/// Unit of a bound: regions with work are bounded in flop/s, regions without in byte/s or intop/s.
enum class BoundUnit { flops_per_second, bytes_per_second, intops_per_second };
[[nodiscard]] std::string_view to_string(BoundUnit unit);  ///< "flop/s", "byte/s", "intop/s"

/// One bound by the roof rule (CONTRACTS section 3).
struct Bound {
  std::string ceiling;  ///< id of the ceiling that binds
  BoundUnit unit = BoundUnit::flops_per_second;
  double attainable = 0.0;          ///< in `unit`
  std::optional<double> fraction;   ///< performance / attainable; above 1 is kept and explained
  std::optional<std::string> next;  ///< id of the ceiling that binds once this one is lifted
  std::optional<double> next_attainable;

  friend bool operator==(const Bound&, const Bound&) = default;
};

struct RegionPrediction {
  std::uint32_t region = 0;      ///< Region::id
  std::optional<Bound> code;     ///< with its own mix of operations, widths and threads
  std::optional<Bound> machine;  ///< best ISA, balanced mix, all cores
  /// With the next lower and the next higher measured thread count, when the region's own thread
  /// count was not measured. Otherwise empty.
  std::vector<Bound> code_at_neighbouring_threads;
  std::vector<Note> notes;  ///< above its roof and why, model_contradiction, ...

  friend bool operator==(const RegionPrediction&, const RegionPrediction&) = default;
};

struct Prediction {
  std::vector<RegionPrediction> regions;  ///< one per region of the profile, same order
  std::string summary;  ///< one closing sentence: what binds the program, what to look at next

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// nullptr when there is none.
[[nodiscard]] const RegionPrediction* find_prediction(const Prediction& prediction,
                                                      std::uint32_t region);

}  // namespace ridge
