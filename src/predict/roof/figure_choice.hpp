// Which published figure speaks for a resource.
#pragma once

#include <string>
#include <string_view>

#include "core/value/target_machine.hpp"

namespace ridge::predict {

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
