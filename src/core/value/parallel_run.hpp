// A program of several ranks: who they are, how figures spread over them, and what they and the
// libraries that they call are asked to do. Meaning: docs/contracts.md, section 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"

namespace ridge {

/// One figure over the ranks that have it, in the unit of the field that holds it.
struct RankSpread {
  unsigned ranks = 0;  ///< that have it
  double least = 0.0;
  int least_rank = 0;  ///< the first of them, where several are equal
  double median = 0.0;
  double most = 0.0;
  int most_rank = 0;
  double mean = 0.0;
  /// Ranks in as many equal steps from least to most; empty where the ranks are listed one by one.
  std::vector<unsigned> bins;

  friend bool operator==(const RankSpread&, const RankSpread&) = default;
};

/// max / mean: 1 = even, the number of ranks = one had all; nullopt without anything to share.
[[nodiscard]] std::optional<double> imbalance_of(const RankSpread& spread);

/// What one rank did in a region itself.
struct RankWork {
  int rank = 0;
  std::optional<Seconds> time_seconds;  ///< wall time with one of its threads in the region
  std::optional<Seconds> cpu_seconds;
  std::optional<std::uint64_t> flops;
  std::optional<std::uint64_t> bytes;  ///< loaded and stored

  friend bool operator==(const RankWork&, const RankWork&) = default;
};

struct RegionRanks {
  std::optional<RankSpread> time_seconds;  ///< wall time of the region itself on each rank
  std::optional<RankSpread> cpu_seconds;
  std::optional<RankSpread> flops;
  std::optional<RankSpread> bytes;
  /// In ascending order of the ranks; empty where they are too many to list.
  std::vector<RankWork> by_rank;

  friend bool operator==(const RegionRanks&, const RegionRanks&) = default;
};

/// A machine on which ranks ran.
struct RankHost {
  std::string name;
  unsigned ranks = 0;
  unsigned cpus = 0;  ///< hardware threads on which at least one of the ranks may run; 0: unknown
  std::optional<Seconds> wall_seconds;  ///< of the slowest of its ranks
  std::optional<Seconds> cpu_seconds;   ///< summed over its ranks, as what follows
  std::optional<Seconds> mpi_seconds;   ///< in MPI
  std::optional<std::uint64_t> flops;
  std::optional<std::uint64_t> bytes;         ///< loaded and stored
  std::optional<std::uint64_t> memory_bytes;  ///< between the last cache and memory

  friend bool operator==(const RankHost&, const RankHost&) = default;
};

struct ParallelRun {
  unsigned ranks = 0;          ///< in MPI_COMM_WORLD, whether they were measured or not
  unsigned measured = 0;       ///< of them
  std::vector<unsigned> lost;  ///< should have been measured, and left no record
  std::vector<RankHost> hosts;
  /// Somewhere more ranks ran than there were CPUs for them: times are those of taking turns.
  bool oversubscribed = false;

  friend bool operator==(const ParallelRun&, const ParallelRun&) = default;
};

/// Calls of one MPI function, summed over ranks.
struct MpiCall {
  std::string name;  ///< "MPI_Allreduce"
  /// That called it; nullopt: none that is known.
  std::optional<std::uint32_t> region;
  std::uint64_t calls = 0;
  /// Given to it by the ranks, as counts of elements times their size; nullopt: it moves none.
  std::optional<std::uint64_t> bytes;
  /// What these calls must exchange between ranks, at least: messages that they send or receive,
  /// and the bytes of those. Not what a rank sends to nobody, or keeps itself.
  std::uint64_t messages = 0;
  std::uint64_t moved_bytes = 0;
  Seconds seconds{};  ///< between call and return, summed over ranks
  /// Part of `seconds` in which ranks waited for others: at barriers, before collectives, in
  /// receives; nullopt: not told apart.
  std::optional<Seconds> waiting_seconds;
  std::optional<RankSpread> seconds_by_rank;

  friend bool operator==(const MpiCall&, const MpiCall&) = default;
};

/// Calls of one function of a numerical library with the same sizes, summed over threads and ranks.
struct LibraryCall {
  std::string name;                     ///< "dgemm", as the library's interface has it
  std::string sizes;                    ///< "4096 x 4096 x 256"; empty: it has none
  std::optional<std::uint32_t> region;  ///< that called it; nullopt: none that is known
  std::uint64_t calls = 0;
  std::optional<std::uint64_t> flops;  ///< of the textbook's formula, of all calls: modelled
  std::optional<std::uint64_t> bytes;  ///< of its operands, each once, of all calls: modelled
  Seconds seconds{};                   ///< between call and return, summed over threads and ranks

  friend bool operator==(const LibraryCall&, const LibraryCall&) = default;
};

}  // namespace ridge
