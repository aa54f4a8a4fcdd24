// What the rules of findings may look at.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

struct Needs;

struct Subject {
  const Region& region;
  const Machine& machine;
  const CeilingIndex& ceilings;                ///< of the machine
  const Microarchitecture* microarchitecture;  ///< nullptr: unknown CPU
  const RegionPrediction* prediction;          ///< nullptr: no roof is known
  Origins origins;
  /// The region, what stands around it, and so on outwards, without the program. Never empty.
  std::vector<const Region*> around;
  /// Of the time of all regions with a roof, the part spent in those far above it.
  double share_above_roof = 0.0;
  bool times_hold = true;       ///< see times_hold()
  bool ranks_are_whole = true;  ///< no rank's record was written while its program ran
  /// Of the region as it is: own_needs() works them out for the first rule that asks.
  mutable std::shared_ptr<const Needs> needs{};
};

/// Below this share of the lowest roof no roof explains the time (decision 0043).
inline constexpr double kFarBelowRoof = 0.3;
/// Above this one an assumption does not hold: a ceiling repeats within a few percent.
inline constexpr double kAboveRoof = 1.05;
/// From here on a region is at its roof.
inline constexpr double kAtRoof = 0.8;

/// Not where the caches were simulated in the run that was timed (--one-run): regions are slowed
/// down differently, so neither rates nor what a change would gain can be told.
[[nodiscard]] bool times_hold(const Profile& profile);

/// a / b of counts; 0 where b is 0.
[[nodiscard]] double share_of(double part, double whole);

/// Reached of the roof of the region's code; nullopt when either is unknown.
[[nodiscard]] std::optional<double> roof_fraction(const Subject& subject);

/// The level whose bandwidth binds the region's code; nullopt where arithmetic does, and when no
/// roof is known.
[[nodiscard]] std::optional<Level> binding_level(const Subject& subject);

/// The level beyond L1 whose bandwidth binds the region's code and explains its time (at least 30 %
/// of that roof is reached); nullopt otherwise.
[[nodiscard]] std::optional<Level> bandwidth_bound(const Subject& subject);

/// CPU time of all threads; nullopt with too few samples to compare with.
[[nodiscard]] std::optional<double> cpu_seconds(const Region& region);

/// "12 %", "0.4 %".
[[nodiscard]] std::string percent_text(double share);
/// "3.2 GB", "812 ns": three digits, SI prefixes.
[[nodiscard]] std::string amount_text(double value, std::string_view unit);
/// "10 700": three digits of a count, without an exponent.
[[nodiscard]] std::string count_text(double count);
/// "1.4", "20", "100": how many times.
[[nodiscard]] std::string factor_text(double factor);
/// "53.8 MiB": of a memory.
[[nodiscard]] std::string size_text(double bytes);

}  // namespace ridge::predict
