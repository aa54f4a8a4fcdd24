// The arena after (or during) a run, as values. A pure function over bytes that the measured
// program wrote: every index is checked, damaged parts are left out and named.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/descriptor.h"
#include "abi/layout.h"
#include "core/result.hpp"
#include "core/value/profile.hpp"
#include "measure/instrumented/arena_view.hpp"
#include "measure/instrumented/code/code_reader.hpp"
#include "measure/instrumented/counts.hpp"
#include "measure/instrumented/markers.hpp"
#include "measure/profile/line_sample.hpp"

namespace ridge::measure {

using CountsByThread = std::map<std::uint32_t, CountsOfThread>;  ///< key: ordinal of the thread

/// A region as one translation unit describes it. The texts lie in the arena: it must outlive them.
struct RawRegion {
  std::uint32_t kind = 0;               ///< enum ridge_region_kind; 0: no such region
  std::optional<std::uint32_t> parent;  ///< id within the process
  std::string_view name;                ///< linkage name
  std::string_view function;            ///< linkage name of the machine function
  std::string_view file;
  std::string_view directory;
  unsigned line = 0;
  unsigned column = 0;
  std::string_view inlined_at;
  unsigned versions = 1;
  std::string_view not_vectorised;  ///< the compiler's reason, empty = none given
  std::string_view library;         ///< calls only: path, empty = unknown
  std::string_view source_file;     ///< the translation unit
  bool deferred = false;            ///< has a counter that is written when its loop is left
  std::uint32_t module = 0;         ///< which module of the process, oldest first
  Counts counts;
  CountsByThread by_thread;  ///< threads that counted something; empty in a program of one thread
};

struct RawThread {
  std::uint32_t tid = 0;
  std::uint32_t ordinal = 0;
  std::vector<std::uint32_t> stack;  ///< region ids, outermost first, sentinel left out
};

/// A file of the process that holds instrumented code, or the part of it that one translation unit
/// is. What lies in the arena must outlive it.
struct RawModule {
  std::string_view file;                ///< path; empty: unknown
  std::vector<std::byte> build_id;      ///< empty: the file has none
  ArenaBytes descriptor;                ///< empty: damaged
  std::uint32_t region_base = 0;        ///< id of its first region within the process
  std::vector<std::uint64_t> counters;  ///< sums over all threads, by index
};

/// Like RawProcess::traffic and RawProcess::sampled.
struct RawPlacement {
  std::vector<ridge_region_traffic> traffic;
  std::vector<ridge_region_traffic> sampled;
};

struct RawProcess : SimulatedTraffic {
  std::uint64_t record = 0;  ///< offset in the arena
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::uint32_t flags = 0;       ///< enum ridge_process_flag
  std::optional<unsigned> rank;  ///< in MPI_COMM_WORLD
  std::uint32_t mismatched_abi_version = 0;
  std::uint64_t trace_lost = 0;
  std::vector<std::string> arguments;
  std::vector<RawRegion> regions;          ///< indexed by id within the process
  std::vector<RawModule> modules;          ///< oldest first; RawRegion::module
  std::vector<RawMarker> markers;          ///< in the order in which they were first named
  std::uint32_t markers_left_out = 0;      ///< visits that there was no room for
  std::vector<RawThread> threads;          ///< oldest first
  std::vector<std::string_view> compiled;  ///< instrumented code that has no region, by name
  std::vector<std::string> compilers;      ///< "clang 19.1.7, -O3", each once
  /// Traffic on ridge_arena.elsewhere[i], indexed like regions; empty where there is none.
  std::vector<std::vector<ridge_region_traffic>> elsewhere;
  /// With explicit tasks on other cores, one for each way to place them (runtime/task_places.h);
  /// empty without tasks, or where a table is missing.
  std::vector<RawPlacement> placed;
  std::vector<ridge_region_lines> lines;  ///< indexed like regions, or empty
  std::vector<ridge_region_trips> trips;  ///< indexed like regions, or empty
  std::vector<ridge_region_nodes> nodes;  ///< indexed like regions, or empty
  unsigned damaged_modules = 0;
  /// Functions that ran and hold operations of the back end that no counter reaches, by file.
  std::map<std::string, std::vector<std::string>> uncounted;
};

struct DecodedArena {
  std::vector<RawProcess> processes;  ///< oldest first
  std::vector<Note> notes;            ///< of the files that machine code was read from
  bool full = false;                  ///< somebody did not get memory
};

/// `code` gives flops as the machine code has them; null: those of the IR.
/// Errors (bad_input): not an arena, or one of another ABI version.
[[nodiscard]] Result<DecodedArena> decode(ArenaBytes arena, CodeReader* code = nullptr);

/// What its processes simulated; refers to it.
[[nodiscard]] std::vector<const SimulatedTraffic*> simulated_traffic(const DecodedArena& arena);

/// Bytes that all regions loaded and stored: the measure of how far a run is.
[[nodiscard]] std::uint64_t bytes_of(const DecodedArena& arena);

/// Offsets of the process records, oldest first.
[[nodiscard]] std::vector<std::uint64_t> process_records(ArenaBytes arena);

/// The region ids of a thread's stack, outermost first, without the sentinel.
[[nodiscard]] std::vector<std::uint32_t> read_stack(ArenaBytes arena, std::uint64_t thread);

}  // namespace ridge::measure
