// Whose time a region's is: the whole program's, and whether regions take turns.
#pragma once

#include <optional>

#include "core/value/profile.hpp"
#include "core/value/region_names.hpp"

namespace ridge::predict {

/// Wall seconds of the region itself; 0 when unknown.
[[nodiscard]] double self_seconds(const Region& region);

/// Wall seconds of the run, else of the program region, else of sampling; 0 when unknown.
[[nodiscard]] double program_seconds(const Profile& profile);

/// Of the program's wall seconds those that are this region's (Region::share_seconds), else its
/// wall seconds; 0 when unknown.
[[nodiscard]] double share_of_program(const Region& region);

/// The same, less what its threads waited for a CPU where it is judged by CPU time.
[[nodiscard]] double judged_share(const Region& region);

/// program_seconds without what regions waited for a CPU, where they are judged by CPU time.
[[nodiscard]] double undisturbed_seconds(const Profile& profile);

/// undisturbed_seconds where regions take turns or their shares of the wall time are known, so that
/// what one saves of its judged_share the program saves; nullopt when unknown, or when different
/// regions run at the same time.
[[nodiscard]] std::optional<double> seconds_in_turn(const Profile& profile);

/// total / (total - saved), Amdahl's law; nullopt when nothing would be left.
[[nodiscard]] std::optional<double> speedup_of(double total, double saved);

}  // namespace ridge::predict
