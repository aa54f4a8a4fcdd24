// Who of a program exchanges messages.
#pragma once

#include "core/value/profile.hpp"

namespace ridge {

/// Ranks whose calls of MPI a profile has: those that were measured, or the processes that were in
/// MPI.
[[nodiscard]] unsigned communicating_ranks(const Profile& profile);

}  // namespace ridge
