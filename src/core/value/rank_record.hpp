// What one rank of a parallel program leaves for those that join the ranks.
#pragma once

#include <string>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge {

struct RankRecord {
  unsigned rank = 0;           ///< in MPI_COMM_WORLD
  std::string host;            ///< that it ran on
  std::vector<unsigned> cpus;  ///< hardware threads of the host that it may run on
  unsigned local_ranks = 0;    ///< of the program on that host, measured or not; 0: unknown
  bool is_snapshot = false;    ///< written while the program ran
  Profile profile;             ///< of this rank alone; without its machine

  friend bool operator==(const RankRecord&, const RankRecord&) = default;
};

}  // namespace ridge
