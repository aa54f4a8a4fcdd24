// What launchers of parallel programs tell each rank by its environment. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::measure {

/// `environment` here and below: NAME=VALUE, each ended by NUL, as in /proc/PID/environ.
///
/// The rank in MPI_COMM_WORLD, by the variables that Open MPI, MPICH, MVAPICH and Slurm set.
[[nodiscard]] std::optional<int> rank_in(std::string_view environment);

/// One rank among all of a start of a parallel program.
struct RankPlace {
  unsigned rank = 0;
  unsigned ranks = 1;  ///< in MPI_COMM_WORLD
  /// On this host; nullopt: the launcher does not say.
  std::optional<unsigned> local_ranks;
  /// Equal in all ranks of one start and different in any other; empty: the launcher gives none.
  std::string job;

  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// nullopt where there is no rank, no number of ranks, or one rank alone.
[[nodiscard]] std::optional<RankPlace> rank_place_in(std::string_view environment);

/// MPICH's mpirun gives ranks no name of their start. The command line of its proxy, which is above
/// the ranks of a host, says where mpirun listens: the same on all hosts, and no other start's
/// while this one lasts. `command_line`: as in /proc/PID/cmdline. nullopt: it is none of such a
/// proxy.
[[nodiscard]] std::optional<std::string> start_of_proxy(std::string_view command_line);

}  // namespace ridge::measure
