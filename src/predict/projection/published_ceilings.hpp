// Published figures in the form of a measured machine, so that one roof rule serves both.
#pragma once

#include <map>
#include <optional>

#include "core/value/caches_elsewhere.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// The clock that a published CPU is taken to run at.
enum class ClockGuess { falls_evenly, base, boost };

struct PublishedUse {
  unsigned cores = 1;  ///< of a CPU; other machines are used as a whole
  Basis basis = Basis::theoretical;
  /// What one core can draw from memory where the machine's figures do not say, byte/s; absent: one
  /// core may draw all of it.
  std::optional<double> memory_per_core;
  ClockGuess clock = ClockGuess::falls_evenly;
  /// byte/s that one core draws from a cache level of which a CPU's figures say nothing; empty:
  /// such a level does not bind.
  std::map<Level, double> unknown_levels_per_core;
  /// Cores of the part that others keep busy: they take an even share of memory and shared caches.
  unsigned busy_neighbours = 0;

  bool operator==(const PublishedUse&) const = default;
};

/// Ceilings for PublishedUse::cores threads (1 on a GPU). With a core of the counted family: units
/// x lanes x clock for each instruction set, L1 and L2 by bytes per cycle; else the vector peak
/// alone, and caches at what their cores load and store at most. Memory: its published bandwidth,
/// of which n cores draw what roof/saturation.hpp says, and beside m busy neighbours no more than n
/// / (n + m); shared caches likewise. Other levels by their published bandwidths; without a figure
/// they have no ceiling.
[[nodiscard]] Machine published_machine(const TargetMachine& target,
                                        const std::optional<CachesElsewhere>& caches,
                                        const PublishedUse& use);

/// The core whose instruction sets are those that programs are counted on (docs/contracts.md,
/// section 1): widths of their operations say something of its pipes. nullptr: another family's, or
/// not known.
[[nodiscard]] const Microarchitecture* core_of_counted_family(const TargetMachine& target);

/// Clock with `cores` of all cores busy. ClockGuess::falls_evenly: from boost with one to base with
/// all (assumed). nullopt without a base clock or a number of cores.
[[nodiscard]] std::optional<double> published_clock(const Specification& machine, unsigned cores,
                                                    ClockGuess guess = ClockGuess::falls_evenly);

/// byte/s that one core draws alone from a level, by the machine's own figures; nullopt: they do
/// not say. What something else held back (Basis::achieved) does not count.
[[nodiscard]] std::optional<double> drawn_by_one_core(const Specification& machine, Level level);

/// Whole cores of the part; 1 where their number is not known.
[[nodiscard]] unsigned cores_of(const Specification& machine);

}  // namespace ridge::predict
