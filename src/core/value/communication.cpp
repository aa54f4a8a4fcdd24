#include "core/value/communication.hpp"

#include <algorithm>

namespace ridge {

unsigned communicating_ranks(const Profile& profile) {
  if (profile.parallel) {
    return profile.parallel->measured;
  }
  return static_cast<unsigned>(std::ranges::count_if(
      profile.processes, [](const Process& process) { return process.mpi_seconds.has_value(); }));
}

}  // namespace ridge
