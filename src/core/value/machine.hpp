// What Ridge knows of a machine: topology, memory levels, ceilings. File format:
// docs/formats/ridge.machine-1.schema.json. No I/O here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/identity/ceiling_key.hpp"
#include "core/identity/ceiling_kind.hpp"
#include "core/identity/isa.hpp"
#include "core/identity/level.hpp"
#include "core/identity/operation.hpp"
#include "core/identity/pattern.hpp"
#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "core/value/interconnect.hpp"
#include "core/value/note.hpp"
#include "core/value/overlap_rule.hpp"

namespace ridge {

struct CpuIdentity {
  std::string vendor;  ///< as CPUID leaf 0 spells it: "AuthenticAMD", "GenuineIntel"
  std::string name;    ///< brand string
  unsigned family = 0;
  unsigned model = 0;
  unsigned stepping = 0;

  friend bool operator==(const CpuIdentity&, const CpuIdentity&) = default;
};

struct Topology {
  unsigned sockets = 1;
  unsigned numa_nodes = 1;
  unsigned cores = 1;
  unsigned threads = 1;  ///< hardware threads this process may run on

  friend bool operator==(const Topology&, const Topology&) = default;
};

/// What a level holds in relation to the level above it.
enum class CachePolicy { inclusive, non_inclusive, victim };
/// Whether a store miss reads the line first. `when_unsaturated`: not once memory is saturated.
enum class WriteAllocate { always, never, when_unsaturated };

[[nodiscard]] std::string_view to_string(CachePolicy policy);
[[nodiscard]] std::string_view to_string(WriteAllocate policy);
[[nodiscard]] std::optional<CachePolicy> parse_cache_policy(std::string_view text);

struct Cache {
  Level level = Level::L1;
  std::uint64_t size_bytes = 0;
  unsigned ways = 0;
  unsigned line_bytes = 64;
  unsigned shared_by_threads = 1;
  CachePolicy policy = CachePolicy::non_inclusive;
  WriteAllocate write_allocate = WriteAllocate::always;

  friend bool operator==(const Cache&, const Cache&) = default;
};

struct MemoryNode {
  Level level = Level::DRAM;
  std::optional<std::uint64_t> size_bytes;

  friend bool operator==(const MemoryNode&, const MemoryNode&) = default;
};

/// The unit follows the kind: flop/s (op/s for integers, which are no flops), byte/s or s.
using CeilingEstimate = std::variant<Estimate<FlopsPerSecond>, Estimate<BytesPerSecond>,
                                     Estimate<Seconds>, Estimate<IntOpsPerSecond>>;

/// One of several rates that samples gather around.
struct Mode {
  double value = 0.0;  ///< median of its samples, in the unit of the ceiling
  double share = 0.0;  ///< of the samples, 0 to 1

  friend bool operator==(const Mode&, const Mode&) = default;
};

/// One upper limit, measured or from a data sheet.
struct Ceiling {
  std::string id;  ///< "compute.fp64.avx512.fma.t1", "bandwidth.L2.load.avx512.t2"
  CeilingKind kind = CeilingKind::compute;
  std::optional<std::string> precision;  ///< "fp64", "fp32", ...
  std::optional<Isa> isa;
  std::optional<Operation> operation;
  std::optional<Level> level;
  std::optional<Pattern> pattern;
  unsigned threads = 1;
  std::optional<std::string> device;
  CeilingEstimate value;                         ///< rate that the kernel asked for
  std::optional<CeilingEstimate> traffic_value;  ///< rate across the boundary (write-allocate in)
  std::optional<double> limit;                   ///< theoretical, in the unit of `value`
  std::optional<double> limit_fraction;          ///< p90 / limit; present whenever limit is
  std::optional<std::string> source;             ///< where the limit comes from
  std::vector<std::string> flags;                ///< "above-limit", ...
  std::optional<Hertz> clock;  ///< of the core during the samples that the p90 stands for
  /// Latency only: of one access, each sample at the clock beside it.
  std::optional<Estimate<Cycles>> cycles;
  /// Two rates that the samples gather around (SMT placement, a neighbour); empty: one.
  std::vector<Mode> modes;

  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

/// "flop/s", "byte/s", "s" or "op/s".
[[nodiscard]] std::string_view unit_of(const CeilingEstimate& estimate);
/// The p90 in the base unit, whatever it is.
[[nodiscard]] double p90_of(const CeilingEstimate& estimate);
[[nodiscard]] double median_of(const CeilingEstimate& estimate);
/// The 10th percentile: of a latency what the p90 is of a rate, the undisturbed end.
[[nodiscard]] double low_of(const CeilingEstimate& estimate);

/// Clocks seen while measuring. The TSC is not the core clock.
struct Clock {
  std::optional<Estimate<Hertz>> core;  ///< probed by a chain of dependent operations
  std::optional<double> tsc_hertz;
  std::optional<double> uncertainty;  ///< of one probe of the core's clock, relative

  friend bool operator==(const Clock&, const Clock&) = default;
};

/// One point of a measured roof: loads with so much work per byte ran at this rate.
struct RoofPoint {
  FlopsPerByte intensity{};
  Estimate<FlopsPerSecond> value;
  /// p90 over min(P_max, intensity * bandwidth): both taken at the clock of this point.
  double fraction = 0.0;

  friend bool operator==(const RoofPoint&, const RoofPoint&) = default;
};

/// The roof of one level as a loop of loads and fma reaches it.
struct MeasuredRoof {
  Level level = Level::L1;
  std::string precision;
  Isa isa = Isa::scalar;
  unsigned threads = 1;
  std::string compute;            ///< id of the ceiling that P_max is
  std::string bandwidth;          ///< id of the ceiling of the bandwidth
  std::vector<RoofPoint> points;  ///< ascending intensity

  friend bool operator==(const MeasuredRoof&, const MeasuredRoof&) = default;
};

/// What is left of a ceiling when it is asked of all cores for seconds: power limits act by then.
struct Sustained {
  std::string ceiling;     ///< id of the ceiling from short samples
  Seconds duration{};      ///< all cores were kept busy for so long
  CeilingEstimate value;   ///< over slices of the second half of that time
  Estimate<Hertz> clock;   ///< in the same slices
  Hertz clock_at_start{};  ///< median over the first tenth

  friend bool operator==(const Sustained&, const Sustained&) = default;
};

/// All hyperthreads of one core together, beside the ceiling of one of them.
struct Siblings {
  std::string ceiling;  ///< id of the ceiling of one thread
  unsigned threads = 2;
  CeilingEstimate value;

  friend bool operator==(const Siblings&, const Siblings&) = default;
};

/// Memory of one node seen from the cores of another (or the same) one.
struct NumaEntry {
  unsigned cpu_node = 0;     ///< number of the operating system
  unsigned memory_node = 0;  ///< likewise; it need not have cores
  Level memory = Level::DRAM;
  unsigned threads = 1;  ///< of the bandwidth
  std::optional<Estimate<BytesPerSecond>> load;
  std::optional<Estimate<Seconds>> latency;

  friend bool operator==(const NumaEntry&, const NumaEntry&) = default;
};

/// How one is called of which nothing says the name.
inline constexpr std::string_view kUnnamedMachine = "unknown machine";

struct Machine {
  std::string ridge_version;
  std::string name;
  std::string date;  ///< ISO 8601, UTC
  std::optional<std::string> host;
  std::optional<CpuIdentity> cpu;    ///< absent: files of other tools do not say it
  std::optional<Topology> topology;  ///< absent: likewise
  std::vector<Cache> caches;         ///< innermost first
  std::vector<MemoryNode> memories;  ///< at least one
  Clock clock;
  std::vector<Ceiling> ceilings;
  std::optional<std::string> effort;  ///< "quick", "standard" or "full"
  bool incomplete = false;            ///< stopped before everything planned was measured
  std::vector<MeasuredRoof> measured_roofs;
  std::vector<Sustained> sustained;
  std::vector<Siblings> siblings;
  std::vector<NumaEntry> numa;               ///< one entry for each pair of nodes
  std::optional<Interconnect> interconnect;  ///< of ranks; absent: not measured
  std::vector<Note> notes;  ///< what was in the way of measuring: quota, steal time, ...

  friend bool operator==(const Machine&, const Machine&) = default;
};

/// All levels from L1 outwards to the first memory node: {L1, L2, L3, DRAM}.
[[nodiscard]] std::vector<Level> levels_of(const Machine& machine);

/// The first memory node; DRAM without one.
[[nodiscard]] Level memory_level(const Machine& machine);

/// nullptr when there is none with this id.
[[nodiscard]] const Ceiling* find_ceiling(const Machine& machine, std::string_view id);

/// A ceiling of this key: its id and the fields that say the same, without a value.
[[nodiscard]] Ceiling ceiling_of(const CeilingKey& key);

/// The point at which a measured roof falls furthest below its ceilings; nullptr without points.
[[nodiscard]] const RoofPoint* greatest_shortfall(const MeasuredRoof& roof);

/// Bandwidth over the number of threads, from the ceilings of the widest instruction set.
struct Saturation {
  struct Point {
    unsigned threads = 1;
    BytesPerSecond p90{};
    BytesPerSecond low{};  ///< 10th percentile
  };
  Level level = Level::L1;
  Pattern pattern = Pattern::load;
  Isa isa = Isa::scalar;
  std::vector<Point> points;  ///< ascending thread counts
  /// n_sat: the fewest threads that reach 95 % of the highest p90, when that leaves no doubt: more
  /// threads were measured and gained less than 5 %.
  std::optional<unsigned> threads;
  /// Two points cannot be ranked: their intervals overlap, and one of them is wide (the low below
  /// 80 % of the p90). Nothing is said of n_sat then.
  bool too_noisy = false;
};

/// Of the level's bandwidth with this pattern; nullopt when fewer than two thread counts were
/// measured. Of several instruction sets the one with the highest p90 on one thread.
[[nodiscard]] std::optional<Saturation> saturation_of(const Machine& machine, Level level,
                                                      Pattern pattern);

/// Cache lines that one core has on their way at a time while it streams from a level: bandwidth
/// times latency (Little's law). Modelled, from two measured ceilings: prefetchers keep more lines
/// on their way than a program that waits for each.
struct Concurrency {
  Level level = Level::L1;
  double lines = 0.0;
  std::string bandwidth;  ///< id of the ceiling: the fastest load on one thread, its p90
  std::string
      latency;  ///< id of the ceiling: pointer chase, on huge pages if there is one; its low
};
/// Of all levels from L1 outwards for which both ceilings are there.
[[nodiscard]] std::vector<Concurrency> concurrency_of(const Machine& machine);

/// Sourced facts about one microarchitecture (machines/microarchitectures.json), matched by CPUID.
struct Microarchitecture {
  /// Operations that share execution pipes: {mul, fma} and {add} on Zen and Golden Cove,
  /// {add, mul, fma} on Skylake and Ice Lake.
  using PipeGroup = std::vector<Operation>;

  struct Match {
    std::string vendor;
    unsigned family = 0;
    std::vector<unsigned> models;
  };

  /// Core cycles by element type. Absent: no source states it.
  struct CyclesByPrecision {
    std::optional<double> fp64;
    std::optional<double> fp32;
  };

  /// Cycles from an operation's input to its result in a chain of the same operation.
  struct Latencies {
    std::optional<double> fma;
    std::optional<double> add;
    std::optional<double> mul;
  };

  /// Limits of one core and cycle for one instruction set. Absent: no source states it.
  struct IsaLimits {
    Isa isa = Isa::scalar;
    /// Of a register, where each core chooses its width (SVE); absent: the instruction set's own.
    std::optional<unsigned> vector_bits;
    std::optional<double> fma_units;  ///< instructions per cycle at this width, nothing else issued
    std::optional<double> add_units;
    std::optional<double> mul_units;
    /// Instructions per cycle, both kinds together, of a 1:1 mix of fma and add: the joint
    /// constraint. fma_add_units / 2 pairs of 3 flop per lane start each cycle.
    std::optional<double> fma_add_units;
    std::optional<double> load_bytes_per_cycle;  ///< L1, loads alone
    std::optional<double> store_bytes_per_cycle;
    std::optional<double> copy_bytes_per_cycle;  ///< loads and stores together, 1:1, L1
    /// Cycles from one independent instruction to the next, the divider busy with nothing else.
    /// Where they depend on the operands: the fewest that a source states.
    CyclesByPrecision div_cycles;
    CyclesByPrecision sqrt_cycles;
    Latencies latency_cycles;  ///< the fewest that a source states
  };

  /// Bytes per cycle and core across the boundary named like the level. Absent: no source.
  struct LevelLimit {
    Level level = Level::L1;
    std::optional<double> read_bytes_per_cycle;
    std::optional<double> write_bytes_per_cycle;
  };

  struct LevelPolicy {
    Level level = Level::L1;
    CachePolicy policy = CachePolicy::non_inclusive;
    WriteAllocate write_allocate = WriteAllocate::always;
  };

  std::string name;            ///< "Zen 4"
  std::vector<Match> matches;  ///< empty: published machines alone name it
  std::vector<PipeGroup> pipe_groups;
  std::vector<IsaLimits> isas;
  std::vector<LevelLimit> levels;
  std::vector<LevelPolicy> policies;
  std::optional<OverlapRule> overlap;  ///< absent: no source states it
  std::vector<std::string> notes;      ///< what the numbers leave out: parts with one FMA unit ...
  std::vector<std::string> sources;    ///< at least one
};

/// Elements of `element_bits` in one register of this core; nullopt where the width is not known.
[[nodiscard]] std::optional<unsigned> lanes_of(const Microarchitecture::IsaLimits& limits,
                                               unsigned element_bits);

/// One lookup by CPUID; nullptr for an unknown CPU, which then gets no theory rather than a guess.
[[nodiscard]] const Microarchitecture* find_microarchitecture(
    const std::vector<Microarchitecture>& known, const std::optional<CpuIdentity>& cpu);

}  // namespace ridge
