// What is published about a machine: peaks and bandwidths from data sheets and papers, each number
// with its source. Nothing here was measured by Ridge; a Machine is. File format:
// docs/formats/ridge.specification-1.schema.json.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/quantity/estimate.hpp"

namespace ridge {

/// One published number in base units (flop/s, op/s, byte/s, Hz, byte, cores).
struct Figure {
  double value = 0.0;
  Origin origin = Origin::assumed;    ///< what a figure is that does not say
  std::optional<std::string> source;  ///< key of Specification::sources
  bool verified = true;               ///< false: quoted from memory, nobody has looked it up

  friend bool operator==(const Figure&, const Figure&) = default;
};

enum class MachineKind { cpu, gpu, accelerator };
/// Matrix pipes are tensor cores, MFMA, AMX: a kernel without matrix products does not reach them.
enum class Pipes { vector, matrix };
/// Theoretical: what the hardware cannot exceed. Sustained: what some program reached that was
/// written to reach it. Achieved: what a program drew that something else held back; no roof.
enum class Basis { theoretical, sustained, achieved };

[[nodiscard]] std::string_view to_string(MachineKind kind);
[[nodiscard]] std::string_view to_string(Pipes pipes);
[[nodiscard]] std::string_view to_string(Basis basis);

struct PublishedPeak {
  std::string precision;  ///< "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8"
  Pipes pipes = Pipes::vector;
  Basis basis = Basis::theoretical;
  std::optional<std::string> operation;  ///< "fma", "add", "gemm"; absent: fma
  Figure figure;                         ///< flop/s; op/s for integers

  friend bool operator==(const PublishedPeak&, const PublishedPeak&) = default;
};

struct PublishedBandwidth {
  Level level = Level::DRAM;
  Basis basis = Basis::theoretical;
  std::optional<std::string> pattern;  ///< "load", "triad" ...: what was run
  Figure figure;                       ///< byte/s
  std::optional<unsigned> cores;       ///< that many drew it together; absent: all of the part

  friend bool operator==(const PublishedBandwidth&, const PublishedBandwidth&) = default;
};

struct PublishedCache {
  Level level = Level::L1;
  bool per_core = false;  ///< else as its source counts it: of the chip, or of a group of cores
  Figure size;            ///< byte
  /// So many cores share one instance, and `size` is that of one. Absent: not said.
  std::optional<unsigned> shared_by_cores;

  friend bool operator==(const PublishedCache&, const PublishedCache&) = default;
};

struct PublishedMemory {
  Level level = Level::DRAM;
  Figure size;  ///< byte

  friend bool operator==(const PublishedMemory&, const PublishedMemory&) = default;
};

/// Of a load that waits for the one before, one core alone.
struct PublishedLatency {
  Level level = Level::DRAM;
  Figure figure;  ///< s

  friend bool operator==(const PublishedLatency&, const PublishedLatency&) = default;
};

/// A connection to the host or to other devices.
struct PublishedLink {
  std::string name;              ///< "PCIe", "NVLink"
  bool both_directions = false;  ///< the figure is the sum of both directions
  std::optional<unsigned> generation;
  Figure figure;  ///< byte/s
  std::optional<unsigned> lanes;
  std::optional<Figure> pinned;    ///< byte/s that copies from page-locked memory reach, one way
  std::optional<Figure> pageable;  ///< byte/s that copies from other memory reach, one way

  friend bool operator==(const PublishedLink&, const PublishedLink&) = default;
};

/// What an operation and a byte cost, where somebody has published it.
struct PublishedEnergy {
  std::map<std::string, Figure> per_flop;  ///< by precision, J/flop
  std::map<Level, Figure> per_byte;        ///< J/byte
  std::optional<Figure> constant_power;    ///< W, drawn whatever runs

  [[nodiscard]] bool empty() const {
    return per_flop.empty() && per_byte.empty() && !constant_power;
  }
  friend bool operator==(const PublishedEnergy&, const PublishedEnergy&) = default;
};

struct Specification {
  std::string key;  ///< "h100-80-sxm5": part and memory; the name of its file
  std::string name;
  MachineKind kind = MachineKind::cpu;
  std::optional<unsigned> year;                  ///< in which the part came out
  std::optional<std::string> microarchitecture;  ///< its name in machines/microarchitectures.json
  std::optional<unsigned> sockets;    ///< of a node at most; all figures are of one of them
  std::optional<Figure> cores;        ///< of one socket; multiprocessors, compute units
  std::optional<Figure> clock;        ///< base clock of the part
  std::optional<Figure> boost_clock;  ///< highest of one core
  std::optional<Figure> fp64_flops_per_cycle_and_core;
  std::vector<PublishedCache> caches;
  std::optional<Figure> line_size;      ///< byte that move together between caches and memory
  std::optional<Figure> registers;      ///< byte, the register file of one core
  std::optional<Figure> shared_memory;  ///< byte of one core that a program manages; GPUs
  std::vector<PublishedMemory> memories;
  std::vector<PublishedPeak> peaks;            ///< at least one
  std::vector<PublishedBandwidth> bandwidths;  ///< at least one of a memory
  std::vector<PublishedLatency> latencies;     ///< each level once
  std::vector<PublishedLink> links;
  std::optional<Figure> launch_latency;        ///< s, from the call of an empty kernel to its end
  std::optional<Figure> thermal_design_power;  ///< W
  /// Whether add, mul and fma share one pipe. Absent: not known.
  std::optional<bool> fma_shares_pipe;
  PublishedEnergy energy;
  std::vector<std::string> notes;
  std::map<std::string, std::string> sources;

  friend bool operator==(const Specification&, const Specification&) = default;
};

/// P_max / b of the main memory, for one precision, kind of pipes and basis: machine balance.
struct RidgePoint {
  std::string precision;
  Pipes pipes = Pipes::vector;
  Basis basis = Basis::theoretical;
  Level level = Level::DRAM;  ///< the main memory
  double intensity = 0.0;     ///< flop/byte; op/byte for integers

  friend bool operator==(const RidgePoint&, const RidgePoint&) = default;
};

/// Bytes that must be on their way for a bandwidth: Little's law, latency x bandwidth.
struct BytesInFlight {
  Level level = Level::DRAM;
  Basis basis = Basis::theoretical;  ///< of the bandwidth
  double latency = 0.0;              ///< s, of one load alone: what is in flight is at least this
  double bandwidth = 0.0;            ///< byte/s, of all cores
  double bytes = 0.0;                ///< of all cores together
  std::optional<double> per_core;    ///< byte, where all cores draw evenly
  /// byte that one core kept in flight when it drew alone what it can
  std::optional<double> one_core;
  std::optional<double> line_size;  ///< byte

  friend bool operator==(const BytesInFlight&, const BytesInFlight&) = default;
};

/// Figures by which machines are compared, and which a part may lack.
enum class Lack {
  sustained_bandwidth,
  latency,
  one_core_bandwidth,
  cache_bandwidth,
  microarchitecture,
  launch_latency,
  host_link,
  design_power
};
[[nodiscard]] std::string_view to_string(Lack lack);

/// How many figures a machine has, and how many of them nobody has looked up.
struct FigureCount {
  std::size_t all = 0;
  std::size_t unverified = 0;

  friend bool operator==(const FigureCount&, const FigureCount&) = default;
};

/// A machine as it stands in the list of all: with its key and what follows from its figures.
struct ListedMachine : Specification {};

struct MachineList {
  std::vector<ListedMachine> machines;
};

/// "op/s" for integer precisions, else "flop/s".
[[nodiscard]] std::string_view rate_unit(std::string_view precision);

/// The highest peak of a precision on these pipes; nullptr when none is known.
[[nodiscard]] const PublishedPeak* highest_peak(const Specification& machine,
                                                std::string_view precision, Pipes pipes,
                                                Basis basis);

/// The highest bandwidth of a level that all cores draw; nullptr when none is known.
[[nodiscard]] const PublishedBandwidth* highest_bandwidth(const Specification& machine, Level level,
                                                          Basis basis);

/// The highest that one core drew alone from a level; nullptr when none is known.
[[nodiscard]] const PublishedBandwidth* one_core_bandwidth(const Specification& machine,
                                                           Level level);

/// nullptr when none is known.
[[nodiscard]] const PublishedLatency* latency_of(const Specification& machine, Level level);

/// The memory with the highest bandwidth, theoretical or sustained: where data that are streamed
/// belong. nullopt when no bandwidth of a memory is known.
[[nodiscard]] std::optional<Level> main_memory(const Specification& machine);

/// That of the main memory; nullptr when none of this basis is known.
[[nodiscard]] const PublishedBandwidth* main_memory_bandwidth(const Specification& machine,
                                                              Basis basis);

/// P_max / b of the main memory in flop/byte (op/byte for integers), both of the same basis:
/// machine balance. nullopt when either is unknown.
[[nodiscard]] std::optional<double> ridge_point(const Specification& machine,
                                                std::string_view precision, Pipes pipes,
                                                Basis basis);

/// Of every precision and kind of pipes that has a peak of either basis, in the order of the peaks.
[[nodiscard]] std::vector<RidgePoint> ridge_points(const Specification& machine);

/// Of every level whose latency is known, for each basis of its bandwidth but `achieved`. Little's
/// law, L = lambda W (J. D. C. Little, Operations Research 9 (1961) 383-387), applied to memory by
/// D. H. Bailey (Little's Law and High Performance Computing, NAS, 1997) and J. D. McCalpin.
[[nodiscard]] std::vector<BytesInFlight> bytes_in_flight(const Specification& machine);

/// What is not known of the machine, of the figures that its kind has; in the order of Lack.
[[nodiscard]] std::vector<Lack> lacks(const Specification& machine);

}  // namespace ridge
