// A piece of a program: where it stands, and what it did. Meaning of every number:
// docs/contracts.md, sections 1 and 2.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/identity/operation.hpp"
#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "core/value/line_behaviour.hpp"
#include "core/value/note.hpp"
#include "core/value/parallel_run.hpp"
#include "core/value/region_code.hpp"
#include "core/value/thread_work.hpp"

namespace ridge {

enum class Precision { fp64, fp32, fp16, bf16 };
enum class OperationKind { add, mul, fma, div, sqrt };

[[nodiscard]] std::string_view to_string(Precision precision);
[[nodiscard]] std::string_view to_string(OperationKind kind);
[[nodiscard]] std::optional<Precision> parse_precision(std::string_view text);
/// Whose ceilings speak for it.
[[nodiscard]] Operation operation_of(OperationKind kind);
/// Bits of one element: 64, 32, 16, 16.
[[nodiscard]] unsigned element_bits(Precision precision);

/// Work of one precision, kind and SIMD width. A scalar operation has the width of its element.
struct WorkTerm {
  Precision precision = Precision::fp64;
  OperationKind kind = OperationKind::add;
  unsigned width_bits = 64;
  std::uint64_t flops = 0;  ///< one fma = 2 per active lane

  friend bool operator==(const WorkTerm&, const WorkTerm&) = default;
};

struct Work {
  std::vector<WorkTerm> terms;
  std::uint64_t other = 0;  ///< min, max, compare, abs, convert ...: lanes, 0 flop

  [[nodiscard]] std::uint64_t total() const;
  /// nullopt when the region has no term of this precision.
  [[nodiscard]] std::optional<std::uint64_t> total(Precision precision) const;
  /// Adds `flops` to the term with this key, creating it when there is none.
  void add(Precision precision, OperationKind kind, unsigned width_bits, std::uint64_t flops);
  Work& operator+=(const Work& other_work);

  friend bool operator==(const Work&, const Work&) = default;
};

/// Bytes that cross one boundary.
struct Traffic {
  std::uint64_t read = 0;
  std::uint64_t written = 0;

  [[nodiscard]] std::uint64_t total() const { return read + written; }
  Traffic& operator+=(Traffic other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// In the order of the texts, as files have it. `L1` is registers-L1, `L2` is L1-L2, `L3` is L2-L3,
/// `DRAM` what lies below.
using TrafficByLevel = std::map<Level, Traffic>;

/// What runs of the same program can give for Traffic::total(), in bytes.
struct TrafficInterval {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const TrafficInterval&, const TrafficInterval&) = default;
};

/// Between which flops lie where what was counted does not tell all.
struct WorkInterval {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const WorkInterval&, const WorkInterval&) = default;
};

struct SelfAndInclusive {
  std::optional<SampledTime> self;
  std::optional<SampledTime> inclusive;

  friend bool operator==(const SelfAndInclusive&, const SelfAndInclusive&) = default;
};

/// Which lines of memory the cache simulation saw.
enum class TrafficMode {
  exact,    ///< all
  sampled,  ///< some of 64 classes, each for several, at least in a part of the run
};
[[nodiscard]] std::string_view to_string(TrafficMode mode);

/// `kernel`: of a device.
enum class RegionKind { program, function, loop, library, marker, kernel };
[[nodiscard]] std::string_view to_string(RegionKind kind);

/// Where figures come from.
struct Origins {
  Origin flops = Origin::counted;
  Origin bytes = Origin::counted;
  Origin traffic = Origin::simulated;
  Origin time = Origin::measured;

  friend bool operator==(const Origins&, const Origins&) = default;
};

/// How the address of an access moves from one iteration of its innermost loop to the next.
enum class AccessPattern {
  unknown,    ///< no closed form
  unit,       ///< accesses of neighbouring iterations leave no gap
  constant,   ///< equal steps with gaps
  invariant,  ///< the same address each time
  indirect,   ///< computed from something loaded in the loop
};
[[nodiscard]] std::string_view to_string(AccessPattern pattern);

/// Bytes loaded or stored in loops by the pattern of their addresses.
struct AccessTerm {
  AccessPattern pattern = AccessPattern::unknown;
  bool write = false;
  /// Of pattern `constant`: bytes from one access to the next; nullopt = known at run time only.
  std::optional<std::uint32_t> stride_bytes;
  std::uint64_t bytes = 0;

  friend bool operator==(const AccessTerm&, const AccessTerm&) = default;
};

/// Vector operations that leave out lanes by a mask.
struct MaskedOperations {
  std::uint64_t operations = 0;
  std::uint64_t lanes = 0;  ///< of all operations together
  std::uint64_t active_lanes = 0;

  friend bool operator==(const MaskedOperations&, const MaskedOperations&) = default;
};

/// Page faults of the threads in a region, from the kernel's own counts, read every few samples:
/// what a thread's count grew by belongs to the regions that these samples saw.
struct PageFaults {
  std::uint64_t value = 0;   ///< minor and major
  std::uint64_t low = 0;     ///< between samples that saw this region only
  std::uint64_t high = 0;    ///< ... that saw it at all
  std::uint64_t major = 0;   ///< of `value`: waited for a disk
  Seconds kernel_seconds{};  ///< CPU time in the kernel, shared out in the same way, for whatever
                             ///< reason

  friend bool operator==(const PageFaults&, const PageFaults&) = default;
};

/// Iterations each time a loop was entered.
struct TripCounts {
  std::uint64_t shortest = 0;
  std::uint64_t longest = 0;

  friend bool operator==(const TripCounts&, const TripCounts&) = default;
};

/// Lines that came from memory, sampled: on which memory node their pages lie, and on which one the
/// thread ran that asked. Numbers are the operating system's.
struct NodeLines {
  unsigned thread_node = 0;
  unsigned memory_node = 0;
  std::uint64_t samples = 0;

  friend bool operator==(const NodeLines&, const NodeLines&) = default;
};

enum class ChainOperation { add, mul, fma, div, sqrt, other, call, load };
[[nodiscard]] std::string_view to_string(ChainOperation operation);

/// Operations (instructions, whatever their width) of the longest chain in which each waits for the
/// one before, summed over all iterations and threads.
struct ChainTerm {
  ChainOperation operation = ChainOperation::add;
  Precision precision = Precision::fp64;  ///< of add, mul, fma, div and sqrt
  bool reduction = false;  ///< sums or products: the order may be changed; else a true recurrence
  std::uint64_t operations = 0;

  friend bool operator==(const ChainTerm&, const ChainTerm&) = default;
};

/// What threads wait for in the OpenMP runtime.
enum class WaitKind {
  join,     ///< the end of a parallel region, or its beginning
  barrier,  ///< the others at a barrier: written as one, or at the end of a worksharing loop
  lock,     ///< a critical or ordered region, or a lock
  task,     ///< tasks
  other,
};
[[nodiscard]] std::string_view to_string(WaitKind kind);

/// Why threads waited, in seconds summed over the waiting threads.
struct WaitCauses {
  Seconds imbalance{};       ///< others were at work on the same parallel region
  Seconds serial{};          ///< one thread worked, on what is not parallel
  Seconds oversubscribed{};  ///< a thread that is waited for had no CPU: more threads than CPUs
  Seconds busy{};            ///< ... other programs had it
  Seconds unexplained{};

  friend bool operator==(const WaitCauses&, const WaitCauses&) = default;
};

/// A call on the way by which a region is reached, seen on stacks of threads that were in it.
struct Caller {
  std::string function;
  std::optional<std::string> file;
  std::optional<unsigned> line;
  double share = 0.0;  ///< of the region's stacks

  friend bool operator==(const Caller&, const Caller&) = default;
};

/// Who a region is: where its code stands in the source, and in the nest of regions.
struct RegionIdentity {
  std::uint32_t id = 0;
  std::uint32_t process = 0;  ///< index into Profile::processes
  RegionKind kind = RegionKind::function;
  std::string name;      ///< how the table calls it: "jacobi_sweep", "in libm.so.6", "omp wait"
  std::string function;  ///< demangled, qualified, without return type
  std::optional<std::string> file;
  std::optional<unsigned> line;
  std::optional<unsigned> column;
  std::optional<std::uint32_t> parent;  ///< id of the lexically enclosing (library: calling) region
  std::optional<std::string> device;    ///< that ran it, as ceilings name theirs; nullopt: the CPU
  bool partial = false;                 ///< cut midway: counts lag behind or run ahead
  bool overlaps = false;                ///< its figures are those of other regions once more
  std::optional<WaitKind> wait;         ///< it is time in the OpenMP runtime, for this

  friend bool operator==(const RegionIdentity&, const RegionIdentity&) = default;
};

struct RegionTime {
  SelfAndInclusive time_seconds;  ///< wall time with at least one thread in the region
  SelfAndInclusive cpu_seconds;   ///< sum over threads
  /// Of the region itself, sum over threads: ready to run, while others had the CPU; nullopt where
  /// the kernel does not tell.
  std::optional<Seconds> waited_seconds;
  /// Part of the wall time of the region itself: threads slept in it, and none was awake; nullopt
  /// where nobody looked.
  std::optional<Seconds> asleep_seconds;
  /// Part of the CPU time of the region itself: in system calls and page faults; nullopt where the
  /// kernel may not be looked at.
  std::optional<Seconds> kernel_seconds;
  /// Also those of inner and called regions whose entries are too short to tell apart; nullopt: its
  /// own are, or the kernel's counts could not be read.
  std::optional<PageFaults> page_faults;
  std::optional<WaitCauses> wait_causes;  ///< of a region that waits
  /// Thread-seconds that others waited for this region.
  std::optional<Seconds> caused_wait_seconds;
  /// Wall time of the program that is this region's: of each moment an equal part for each thread
  /// at work, waiting threads left out. Over all regions it sums to the wall time.
  std::optional<Seconds> share_seconds;
  /// The way by which most of its time came to it, from the direct caller outwards; empty: no
  /// stacks were looked at, too few, or no way has half of them.
  std::vector<Caller> callers;

  friend bool operator==(const RegionTime&, const RegionTime&) = default;
};

/// What a region executed. A source that does not count leaves all of it without a value.
struct RegionWork {
  std::optional<std::uint64_t> entries;
  std::optional<std::uint64_t> iterations;  ///< of the source loop, before vectorisation
  /// Counted in the run that simulates traffic, of loops whose count is known on entering.
  std::optional<TripCounts> trip_counts;
  /// Of the machine code, where the program's file could be read; else of the optimised IR.
  std::optional<Work> flops;
  /// Those of the optimised IR, where the back end did more or fewer of them.
  std::optional<std::uint64_t> ir_flops;
  /// Contains the flops; absent where they are exact.
  std::optional<WorkInterval> flops_interval;
  /// Part of the flops: products that feed one sum, done apart although one FMA could do both.
  std::optional<std::uint64_t> fusible_flops;
  std::optional<std::uint64_t> intops;
  std::map<std::string, std::uint64_t> calls;   ///< libm and other counted calls by name
  std::map<std::string, std::uint64_t> opaque;  ///< calls into uninstrumented code, inline assembly
  std::optional<std::uint64_t> bytes_loaded;
  std::optional<std::uint64_t> bytes_stored;
  std::optional<std::uint64_t> bytes_non_temporal;  ///< part of bytes_stored
  /// Part of bytes_stored that overwrites: in loops, without gaps, to objects that the loop loads
  /// nothing from, with ordinary stores.
  std::optional<std::uint64_t> bytes_overwritten;
  /// Registers that the machine code fetches back from the stack (read) and puts aside there
  /// (written); no part of bytes_loaded and bytes_stored. nullopt: no machine code was read.
  std::optional<Traffic> bytes_spilled;

  friend bool operator==(const RegionWork&, const RegionWork&) = default;
};

/// Facts of how the work was done, for findings.
struct RegionEvidence {
  std::vector<AccessTerm> accesses;  ///< empty = unknown, or nothing in loops
  std::optional<Traffic> gathered;   ///< bytes that gather (read) and scatter instructions moved
  std::optional<MaskedOperations> masked;
  std::vector<ChainTerm> chain;               ///< loops only; empty = unknown, or no chain
  std::optional<std::string> not_vectorised;  ///< why, in the compiler's own words

  friend bool operator==(const RegionEvidence&, const RegionEvidence&) = default;
};

/// What crosses the boundaries of the memory hierarchy, and which lines that is.
struct RegionTraffic {
  TrafficByLevel traffic;
  /// By level, where the traffic depends on how the threads happened to take turns; a level that is
  /// not there repeats. It contains the level's traffic.
  std::map<Level, TrafficInterval> traffic_interval;
  TrafficByLevel least_traffic;
  /// DRAM traffic when only this share (key "1/2", "1/4") of the last level is ours.
  std::map<std::string, Traffic> traffic_at_share;
  /// Traffic below the first level on other caches, by name (Profile::caches_elsewhere).
  std::map<std::string, TrafficByLevel> traffic_elsewhere;
  /// Of traffic and least_traffic beyond L1; nullopt without, and in files of older versions.
  std::optional<TrafficMode> traffic_mode;
  /// By level, where it is not that of the profile: levels of one region may have several sources.
  std::map<Level, Origin> traffic_origins;
  /// Bytes used of each line while it is in the first level, over its size. Sampled.
  std::optional<double> line_use;
  MissCurve miss_curve;  ///< of what the first levels miss, over all threads; empty = unknown
  /// In ascending order of the nodes, in the run that simulates traffic; empty = unknown, or the
  /// machine has one node.
  std::vector<NodeLines> memory_nodes;
  std::optional<LineSharing> sharing;  ///< simulated; absent where nothing is shared, or unknown

  friend bool operator==(const RegionTraffic&, const RegionTraffic&) = default;
};

struct RegionThreads {
  unsigned threads = 1;                 ///< most threads seen in it at once
  std::vector<ThreadWork> thread_work;  ///< of a region that several threads ran, else empty

  friend bool operator==(const RegionThreads&, const RegionThreads&) = default;
};

/// One region; W, V and time are self values (children excluded) unless named inclusive. The one
/// region of kind `program` is the sum of all. Its parts are types of their own: a source fills
/// those that it knows.
struct Region : RegionIdentity,
                RegionTime,
                RegionWork,
                RegionEvidence,
                RegionTraffic,
                RegionThreads,
                RegionCode {
  /// Of figures that come from another source than those of the profile.
  std::optional<Origins> origins;
  std::optional<RegionRanks> ranks;  ///< of a program of several ranks
  std::vector<Note> notes;

  friend bool operator==(const Region&, const Region&) = default;
};

/// Whether its figures are those of other regions once more: it stands in no sum over regions.
[[nodiscard]] bool is_sum(const RegionIdentity& region);

/// The region's flops as terms; none where they are not known: for sums over what is known.
[[nodiscard]] const Work& known_work(const Region& region);
/// To add to: begins empty where nothing was known.
[[nodiscard]] Work& work_of(Region& region);
/// Loaded and stored; nullopt where either is not known.
[[nodiscard]] std::optional<std::uint64_t> bytes_accessed(const Region& region);

/// W / V at a level, or nullopt when either is unknown or V is 0 (then the level is unbounded).
[[nodiscard]] std::optional<FlopsPerByte> intensity(const Region& region, Level level);
/// W_self / wall time; nullopt when there is no time or no work, and where the region was cut
/// midway: its work is not that of its time.
[[nodiscard]] std::optional<FlopsPerSecond> performance(const Region& region);

/// A region's name for people: without template arguments and anonymous namespaces, so that
/// "Eigen::internal::redux_impl<A, B>::run" is "Eigen::internal::redux_impl::run". Names of
/// operators keep their angle brackets.
[[nodiscard]] std::string brief_name(std::string_view name);

}  // namespace ridge
