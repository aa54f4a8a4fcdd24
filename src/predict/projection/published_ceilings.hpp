// Published figures in the form of a measured machine, so that one roof rule serves both.
#pragma once

#include <optional>

#include "core/value/caches_elsewhere.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

struct PublishedUse {
  unsigned cores = 1;  ///< of a CPU; other machines are used as a whole
  Basis basis = Basis::theoretical;
  /// What one core can draw from memory, byte/s; absent: one core may draw all of it.
  std::optional<double> memory_per_core;
};

/// Ceilings for PublishedUse::cores threads (1 on a GPU). With a microarchitecture: units x lanes x
/// clock for each instruction set, L1 and L2 by bytes per cycle; without: the vector peak alone.
/// Memory: its published bandwidth. Levels without a figure have no ceiling.
[[nodiscard]] Machine published_machine(const TargetMachine& target,
                                        const std::optional<CachesElsewhere>& caches,
                                        const PublishedUse& use);

/// Clock with `cores` of all cores busy: it falls evenly from boost with one to base with all
/// (assumed). nullopt without a clock or a number of cores.
[[nodiscard]] std::optional<double> published_clock(const Specification& machine, unsigned cores);

}  // namespace ridge::predict
