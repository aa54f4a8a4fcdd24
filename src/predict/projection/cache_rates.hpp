// Bandwidths of caches that nobody published, from what is known of the cores.
#pragma once

#include <optional>

#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// byte that a core moves per cycle between a level and what lies before it.
struct CoreRates {
  std::optional<double> read;
  std::optional<double> written;
};

/// Of L1 by the widest instruction set; of other levels as the table has them.
[[nodiscard]] CoreRates core_rates(const Microarchitecture& core, Level level);

/// Caches of a published CPU of which the part's own figures name no bandwidth of all cores, and of
/// which each core has one: byte per cycle x clock x cores, theoretical and modelled, with the
/// source kCoreSource (roof/figure_choice.hpp), at the clock of published_clock() with all cores
/// busy. What is not known of core, clock or cores stays unknown. Formula: docs/theory/predict.md,
/// section 3.
void add_cache_rates(TargetMachine& target);

}  // namespace ridge::predict
