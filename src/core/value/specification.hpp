// What is published about a machine: peaks and bandwidths from data sheets and papers, each number
// with its source. Nothing here was measured by Ridge; a Machine is. File format:
// docs/formats/ridge.specification-1.schema.json.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity/estimate.hpp"

namespace ridge {

/// One published number in base units (flop/s, op/s, byte/s, Hz, byte, cores).
struct Figure {
  double value = 0.0;
  Origin origin = Origin::datasheet;
  std::optional<std::string> source;  ///< key of Specification::sources
  bool verified = true;               ///< false: quoted from memory, nobody has looked it up

  friend bool operator==(const Figure&, const Figure&) = default;
};

enum class MachineKind { cpu, gpu, accelerator };
/// Matrix pipes are tensor cores, MFMA, AMX: a kernel without matrix products does not reach them.
enum class Pipes { vector, matrix };
/// Theoretical: what the hardware cannot exceed. Sustained: what some program reached.
enum class Basis { theoretical, sustained };

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
  std::string level;  ///< "L1", "L2", "L3", "DRAM", "HBM"
  Basis basis = Basis::theoretical;
  std::optional<std::string> pattern;  ///< "load", "triad" ...: what was run
  Figure figure;                       ///< byte/s

  friend bool operator==(const PublishedBandwidth&, const PublishedBandwidth&) = default;
};

struct PublishedCache {
  std::string level;
  bool per_core = false;  ///< else as its source counts it: of the chip, or of a group of cores
  Figure size;            ///< byte

  friend bool operator==(const PublishedCache&, const PublishedCache&) = default;
};

struct PublishedMemory {
  std::string level;
  Figure size;  ///< byte

  friend bool operator==(const PublishedMemory&, const PublishedMemory&) = default;
};

/// A connection to the host or to other devices.
struct PublishedLink {
  std::string name;              ///< "PCIe", "NVLink"
  bool both_directions = false;  ///< the figure is the sum of both directions
  std::optional<unsigned> generation;
  Figure figure;  ///< byte/s

  friend bool operator==(const PublishedLink&, const PublishedLink&) = default;
};

/// What an operation and a byte cost, where somebody has published it.
struct PublishedEnergy {
  std::map<std::string, Figure> per_flop;  ///< by precision, J/flop
  std::map<std::string, Figure> per_byte;  ///< by level, J/byte
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
  std::optional<Figure> cores;        ///< of one socket; multiprocessors, compute units
  std::optional<Figure> clock;        ///< base clock of the part
  std::optional<Figure> boost_clock;  ///< highest of one core
  std::optional<Figure> fp64_flops_per_cycle_and_core;
  std::vector<PublishedCache> caches;
  std::vector<PublishedMemory> memories;
  std::vector<PublishedPeak> peaks;            ///< at least one
  std::vector<PublishedBandwidth> bandwidths;  ///< at least one of a memory
  std::vector<PublishedLink> links;
  /// Whether add, mul and fma share one pipe. Absent: not known.
  std::optional<bool> fma_shares_pipe;
  PublishedEnergy energy;
  std::vector<std::string> notes;
  std::map<std::string, std::string> sources;

  friend bool operator==(const Specification&, const Specification&) = default;
};

/// Whether a level is a memory, not a cache: "DRAM", "HBM", "CXL", "NVRAM".
[[nodiscard]] bool is_memory_level(std::string_view level);

/// The highest peak of a precision on these pipes; nullptr when none is known.
[[nodiscard]] const PublishedPeak* highest_peak(const Specification& machine,
                                                std::string_view precision, Pipes pipes,
                                                Basis basis);

/// The highest bandwidth of a level; nullptr when none is known.
[[nodiscard]] const PublishedBandwidth* highest_bandwidth(const Specification& machine,
                                                          std::string_view level, Basis basis);

/// The memory with the highest bandwidth, theoretical or sustained: where data that are streamed
/// belong. Empty when no bandwidth of a memory is known.
[[nodiscard]] std::string main_memory(const Specification& machine);

/// P_max / b of the main memory in flop/byte (op/byte for integers), both of the same basis:
/// machine balance. nullopt when either is unknown.
[[nodiscard]] std::optional<double> ridge_point(const Specification& machine,
                                                std::string_view precision, Pipes pipes,
                                                Basis basis);

}  // namespace ridge
