// Which published figure speaks for a resource.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Source of the bandwidths of caches that follow from the core (projection/cache_rates.hpp).
inline constexpr std::string_view kCoreSource = "derived from the microarchitecture";
[[nodiscard]] bool follows_from_core(const Figure& figure);

/// byte/s of a mix of which `written_share` is written, where loads and stores have pipes of their
/// own: min(load / (1 - w), store / w), without the second where no rate of stores is known. Only
/// for a level whose figures follow from the core; nullopt where nothing bounds the mix.
[[nodiscard]] std::optional<double> rate_of_core_mix(const TargetMachine& target, Level level,
                                                     double written_share);

/// nullptr when the machine has no peak of the precision on these pipes. Of the basis that was
/// asked for, else of the other one.
[[nodiscard]] const PublishedPeak* choose_peak(const TargetMachine& target,
                                               std::string_view precision, Pipes pipes,
                                               Basis basis);

/// The bandwidth of a level for traffic of which `written_share` is written. Theoretical: the
/// highest. Sustained: the pattern with the nearest written share whose bytes all cross the
/// boundary (on machines with write-allocate copy, scale, triad and store count fewer bytes than
/// they move: they only stand in when nothing else is known). nullptr: none.
[[nodiscard]] const PublishedBandwidth* choose_bandwidth(const TargetMachine& target, Level level,
                                                         Basis basis, double written_share);

/// byte/s in one direction of the fastest link of this name; nullptr when there is none.
[[nodiscard]] const PublishedLink* choose_link(const TargetMachine& target, std::string_view name);
[[nodiscard]] double one_way(const PublishedLink& link);

}  // namespace ridge::predict
