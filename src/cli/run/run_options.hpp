// The command line of `ridge run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/ranks/rank_folder.hpp"
#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "measure/source.hpp"

namespace ridge::cli {

struct RunOptions {
  std::vector<std::string> program;  ///< behind `--`, unchanged
  std::optional<std::string> output;
  std::optional<std::string> machine;
  std::optional<std::string> cache;    ///< the geometry to simulate, as parse_cache_geometry has it
  std::vector<AlsoItem> also;          ///< other machines' caches, to be simulated too
  std::optional<std::string> explain;  ///< name or number of a region
  std::optional<std::string> source;   ///< its name; nullopt: the first that can
  bool list_sources = false;           ///< show them and measure nothing: there may be no program
  std::optional<std::string> engine;   ///< of the source `binary`; nullopt: the first that can
  bool list_engines = false;           ///< as list_sources
  bool same_code = false;              ///< libraries take the code that the engine can count
  bool mpi = false;                    ///< record calls of MPI
  bool libraries = false;              ///< record calls of BLAS, LAPACK and FFTW
  bool force = false;
  measure::TrafficRequest traffic = measure::TrafficRequest::automatic;
  std::optional<Seconds> budget;  ///< of the runs for traffic
  Seconds exact_below{10.0};
  bool quiet = false;  ///< nothing on standard error while the program runs
  bool launcher = false;
  measure::RunsWanted runs = measure::RunsWanted::all;
  std::optional<std::string> into;  ///< the result of the same ranks that this run is added to
  RankChoice ranks;                 ///< that are measured, of a parallel program
  bool alone = false;               ///< this process by itself, though it is one of several ranks
  bool detach = false;              ///< the program goes on when ridge is killed
  unsigned wait_descendants = 60;   ///< [s]
  bool intops = false;              ///< chart and table count integer operations
  bool json = false;
  bool ascii = false;
  bool redact = false;
};

/// nullopt when `--help` was asked for and printed. Splits at the first `--` itself: what stands
/// behind it belongs to the program, `--help` included. Error: usage.
[[nodiscard]] Result<std::optional<RunOptions>> parse_run_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
