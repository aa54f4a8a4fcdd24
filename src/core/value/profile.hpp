// What a program did: regions with time, work and traffic. File format:
// docs/formats/ridge.profile.md; meaning of every number: docs/contracts.md, sections 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "core/value/parallel_run.hpp"
#include "core/value/region.hpp"

namespace ridge {

struct Process {
  std::int64_t pid = 0;  ///< 0: unknown, and absent from files
  std::vector<std::string> argv;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::optional<int> rank;
  std::optional<Seconds> cpu_seconds;   ///< of all its threads, sampled
  std::optional<std::uint64_t> flops;   ///< nullopt: not counted, or by a run in which it is nobody
  std::optional<std::uint64_t> bytes;   ///< loaded and stored by its instructions
  std::string host;                     ///< that it ran on; empty: the profile's machine
  std::optional<Seconds> wall_seconds;  ///< of a rank: from its start to its end
  std::optional<Seconds> mpi_seconds;   ///< of a rank: in MPI

  friend bool operator==(const Process&, const Process&) = default;
};

/// A file of another tool whose figures stand in a profile.
struct Import {
  std::string tool;                    ///< "LIKWID", as its makers call it
  std::optional<std::string> version;  ///< nullopt: the file does not say
  std::string file;                    ///< as it was named

  friend bool operator==(const Import&, const Import&) = default;
};

struct Profile {
  struct Program {
    std::vector<std::string> argv;
    std::optional<int> exit_code;
    std::optional<int> signal;
    Seconds wall_seconds{};               ///< 0: unknown, and absent from files
    std::optional<std::string> compiler;  ///< "clang 19.1.7, -O3 -march=native"

    friend bool operator==(const Program&, const Program&) = default;
  };
  struct Time {
    Seconds sampled_seconds{};
    double unattributed_fraction = 0.0;

    friend bool operator==(const Time&, const Time&) = default;
  };

  std::string ridge_version;
  std::string date;  ///< ISO 8601, UTC
  Program program;
  Machine machine;
  std::vector<CachesElsewhere> caches_elsewhere;  ///< simulated in the same run
  std::vector<Process> processes;
  std::optional<ParallelRun> parallel;  ///< of a program of several ranks
  Time time;
  Origins origins;
  std::vector<Import> imports;  ///< empty: Ridge measured all of it
  std::vector<Region> regions;
  std::vector<MpiCall> mpi_calls;          ///< empty: nobody looked, or there were none
  std::vector<LibraryCall> library_calls;  ///< as mpi_calls
  std::vector<Note> notes;  ///< of the whole run: overhead, what is not modelled, flags

  friend bool operator==(const Profile&, const Profile&) = default;
};

/// Levels of the machine, all memory nodes included, then levels that only traffic names.
[[nodiscard]] std::vector<Level> levels_of(const Profile& profile);

/// Of figures without one of their own: where they come from.
[[nodiscard]] const Origins& origins_of(const Region& region, const Profile& profile);
[[nodiscard]] Origin traffic_origin(const Region& region, const Profile& profile, Level level);

/// Of the share of the samples that saw no region, 80 %; nullopt without samples.
[[nodiscard]] std::optional<Interval> unattributed_interval(const Profile& profile);

/// The region of kind `program`; nullptr when there is none.
[[nodiscard]] const Region* program_region(const Profile& profile);

}  // namespace ridge
