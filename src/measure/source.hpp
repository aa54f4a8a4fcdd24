// The door through which measurements come in: what is asked of a source, and what a source is.
// Sources are folders of this module; sources.hpp is the table of them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/counted_code.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge::measure {

/// What is simulated for traffic below L1, by a source that simulates.
enum class TrafficRequest {
  off,        ///< nothing
  exact,      ///< all lines of memory
  sampled,    ///< some lines for all, trusted or not
  automatic,  ///< all lines where that is soon done; else sampled, and exactly where that cannot be
              ///< trusted
};

/// Where snapshots of a measurement go; both empty: nowhere.
struct SnapshotSink {
  /// Called once, before the first; false: there will be none.
  std::function<bool()> open;
  /// Replaces the one before, as a whole or not at all; false when it could not.
  std::function<bool(const Profile&)> store;
};

/// Where the code that was counted waits for the run that simulates, of a program whose runs are
/// starts of their own. Both empty: nowhere. `program`: the file that runs.
struct CountedCodeStore {
  std::function<Result<void>(const std::string& program, const CountedCode& code)> keep;
  /// Errors: bad_input, with what to do.
  std::function<Result<CountedCode>(const std::string& program)> kept;
};

/// Between these, as far as somebody knows.
struct SecondsRange {
  Seconds least;
  Seconds most;
};

enum class RunOfProgram {
  first,          ///< on the real standard streams, counted and timed
  traffic,        ///< simulated
  traffic_again,  ///< simulated from the start, all lines: some would not have stood for all
  // Of a program as it is:
  times,                       ///< on the real standard streams, untouched
  counts,                      ///< under an engine
  traffic_after_counts,        ///< under an engine that simulates
  traffic_after_counts_again,  ///< as traffic_again
};

/// Which runs of the program are wanted, of all that a source would make. A rank of a parallel
/// program cannot be started twice: its runs are those of several starts of all ranks.
enum class RunsWanted {
  all,      ///< as many as there are figures to be had
  first,    ///< that of the real streams: times, and what is counted beside them
  counts,   ///< counts alone, of a source that needs a run of its own for them
  traffic,  ///< traffic, and the work that it belongs to: no times
  one,      ///< times, work and traffic in one: times are those of a program that is simulated
};

/// How far a run of the program is.
struct Progress {
  RunOfProgram run = RunOfProgram::first;
  Seconds elapsed;             ///< since this run began; 0: it begins
  std::optional<double> done;  ///< share of its work, 0 to 1, as the counts so far say
  std::optional<SecondsRange> remaining;
};

struct Request {
  std::vector<std::string> arguments;  ///< program, found through PATH, and what it is told
  TrafficRequest traffic = TrafficRequest::exact;
  RunsWanted runs = RunsWanted::all;
  /// A source that simulates no caches will not do, rather than leave the traffic out.
  bool needs_simulation = false;
  /// Caches of other machines, at most kMostElsewhere: needs exact traffic.
  std::vector<CachesElsewhere> also;
  /// The program need not be measurable itself: it starts or loads what is.
  bool launcher = false;
  /// What the program writes to standard output goes to standard error (--json).
  bool output_to_error = false;
  /// From one sample to the next, of a source that samples.
  std::chrono::nanoseconds interval = std::chrono::milliseconds(1);
  /// How long processes that outlive the program are waited for in the first run, if they are
  /// measured.
  std::chrono::seconds wait_for_descendants{60};
  /// The program goes on when somebody kills us.
  bool detach = false;
  /// Of a source that runs the program under an engine: which one; nullopt: the first that can.
  std::optional<std::string> engine;
  /// Libraries that choose their code by what the processor can shall choose in all runs what they
  /// choose under the engine.
  bool same_code = false;
  /// The first run records calls of MPI.
  bool mpi_calls = false;
  /// Other ranks of the program run without Ridge: nothing may wait for them.
  bool is_some_ranks = false;
  /// And of BLAS, LAPACK and FFTW.
  bool library_calls = false;
  /// Gets what is known while the program runs and between its runs.
  SnapshotSink snapshots;
  CountedCodeStore counted_code;
  /// Wall time that runs for traffic may take, all together: what is simulated follows from it
  /// (`traffic` is then automatic). Runs that take twice as long are ended.
  std::optional<Seconds> budget;
  /// Automatic traffic is that of all lines where this is expected to take less.
  Seconds exact_below{10.0};
  /// Called when a run begins and about once a second while it goes on; may be empty.
  std::function<void(const Progress&)> progress;
  /// Called with a line that somebody who waits should read; may be empty.
  std::function<void(std::string_view)> tell;
};

/// Which figures of a Profile a source fills; the others stay absent.
struct Capabilities {
  bool counts = false;     ///< flops, bytes, entries, iterations
  bool times = false;      ///< wall and CPU time of regions
  bool simulates = false;  ///< traffic below L1, by a simulation of caches

  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

/// One way to measure a program. Texts are for people and need no full stop.
struct Source {
  std::string_view name;     ///< the word behind --source
  std::string_view summary;  ///< one line: what it measures, and how
  Capabilities capabilities;
  std::string_view needs;  ///< what the program or the machine must have
  /// Whether the program can be measured here. Starts nothing and changes nothing. Errors: those
  /// of `measure` that can be known by then; bad_input where it is the program that does not suit,
  /// unavailable where it is the machine.
  Result<void> (*check)(const Request& request);
  /// Runs the program on the real standard streams first; later runs get the same input, and their
  /// output is thrown away. How the program ended stands in Profile::program, what each figure is
  /// in Profile::origins, and everything that a reader must know besides in the notes of the
  /// profile and of its regions. Errors: only what keeps the program from being started; what goes
  /// wrong later is a note.
  Result<Profile> (*measure)(const Request& request, const Machine& machine);
};

/// nullptr when there is none of this name.
[[nodiscard]] const Source* find_source(std::span<const Source> sources, std::string_view name);

/// Source::check, after Source::capabilities have been held against the request. Errors: usage when
/// that needs a simulation and the source does not simulate; those of Source::check.
[[nodiscard]] Result<void> check_source(const Source& source, const Request& request);

/// The first source that can measure what is asked for; the table is in order of preference. When
/// none can: the error of the one that comes closest, which is one that lacks something of this
/// machine rather than one that the program does not suit, with what is in the way of the others
/// in its hint. `sources` must not be empty.
[[nodiscard]] Result<const Source*> choose_source(std::span<const Source> sources,
                                                  const Request& request);

}  // namespace ridge::measure
