// A neural network layer by layer: the work and the least traffic of each, and the time that a
// machine's roofs allow. The counts follow from shapes alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/value/note.hpp"
#include "core/value/specification.hpp"

namespace ridge {

enum class LayerKind {
  product,      ///< convolutions, matrix products, recurrent cells: for the matrix pipes
  elementwise,  ///< one result per element of the inputs: can run inside its producer
  reduction,    ///< pools, norms, softmax, sums over axes
  movement,     ///< copies, gathers, casts of the layout: bytes, no flop
  view,         ///< the same bytes under another shape: no traffic
  constant,     ///< depends on weights and shapes alone: computed once, not at every run
  unknown,      ///< no row in the table of operators: bytes where shapes are known, no flops
};
[[nodiscard]] std::string_view to_string(LayerKind kind);

/// One operator, or several that run fused.
struct NetworkLayer {
  std::string name;
  std::string operation;  ///< "Conv"; "com.example.Foo" outside the standard operators
  LayerKind kind = LayerKind::unknown;
  std::string precision;               ///< of its arithmetic: "fp16", "int8"; empty: none
  std::optional<std::uint64_t> flops;  ///< absent: not known
  std::optional<std::uint64_t> intops;
  std::map<std::string, std::uint64_t> calls;  ///< of the math library, counted 0 flop: "exp"
  /// byte, each tensor once: weights, other inputs, outputs. Absent: a shape or type is not known.
  std::optional<std::uint64_t> weight_bytes;
  std::optional<std::uint64_t> read_bytes;
  std::optional<std::uint64_t> written_bytes;
  std::vector<std::uint64_t> output_shape;  ///< of the first output; empty: scalar or not known
  std::string formula;                      ///< of its work, from the table
  std::vector<std::string> fused;           ///< operations that run inside this one, in their order
  /// Of `flops`, what runs on the vector pipes: all but the product itself; of that, in fma.
  std::uint64_t vector_flops = 0;
  std::uint64_t vector_fma_flops = 0;
  std::uint64_t repeats = 1;  ///< runs, in loops with a constant number of iterations
  std::vector<std::string> remarks;

  /// weights + read + written; absent when one of them is.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;
  friend bool operator==(const NetworkLayer&, const NetworkLayer&) = default;
};

struct Network {
  std::string name;
  std::vector<NetworkLayer> layers;  ///< in the order in which they run
  std::uint64_t weight_bytes = 0;    ///< of all distinct weights that layers read
  std::string precision;             ///< asked for; empty: as the file has it
  bool fused = false;
  std::vector<Note> notes;
  friend bool operator==(const Network&, const Network&) = default;
};

/// A roof that layers were held against.
struct NetworkRoof {
  std::string name;  ///< "fp16 matrix", "HBM", "launch"
  double rate = 0.0;
  std::string unit;  ///< "flop/s", "op/s", "byte/s", "launch/s"
  Basis basis = Basis::theoretical;
  Origin origin = Origin::datasheet;
  bool verified = true;
  friend bool operator==(const NetworkRoof&, const NetworkRoof&) = default;
};

struct LayerTime {
  std::optional<double> compute_seconds;  ///< absent: no work, or no roof for it is known
  std::optional<double> memory_seconds;
  /// The larger of work and traffic, which overlap, and the launch. Absent when none is known; a
  /// lower bound when `incomplete`.
  std::optional<double> seconds;
  std::optional<std::uint32_t> bound;      ///< in NetworkTimes::roofs; absent: nothing to do
  bool incomplete = false;                 ///< flops, bytes or a roof are not known
  std::optional<double> launch_seconds{};  ///< absent: starting it costs nothing here
  friend bool operator==(const LayerTime&, const LayerTime&) = default;
};

/// A network on a machine.
struct NetworkTimes {
  std::string machine;  ///< key
  std::string machine_name;
  std::vector<NetworkRoof> roofs;
  std::vector<LayerTime> layers;  ///< one per layer, same order
  double seconds = 0.0;           ///< sum over the layers, work and traffic overlapped in each
  double seconds_without_overlap = 0.0;
  std::optional<double> launch_seconds;  ///< of both sums; absent: starting a layer costs nothing
  std::uint64_t incomplete_layers = 0;   ///< then the sums are lower bounds
  std::vector<Note> notes;
  friend bool operator==(const NetworkTimes&, const NetworkTimes&) = default;
};

/// Sums of what is known, and how many layers it is not known of.
struct NetworkTotals {
  std::uint64_t flops = 0;
  std::uint64_t intops = 0;
  std::uint64_t weight_bytes = 0;  ///< as read by the layers; a shared weight counts at each
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::map<std::string, std::uint64_t> calls;
  std::uint64_t without_flops = 0;  ///< layers
  std::uint64_t without_bytes = 0;

  [[nodiscard]] std::uint64_t bytes() const { return weight_bytes + read_bytes + written_bytes; }
  friend bool operator==(const NetworkTotals&, const NetworkTotals&) = default;
};

[[nodiscard]] NetworkTotals totals_of(const Network& network);

/// flop/byte (op/byte for integer work): the ratio of sums; absent without work or traffic.
[[nodiscard]] std::optional<double> intensity_of(const NetworkLayer& layer);

}  // namespace ridge
