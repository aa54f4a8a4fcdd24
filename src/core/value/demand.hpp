// What a computation asks of any machine: operations and least traffic, before a machine is chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

/// Operations by kind in flop (docs/contracts.md, section 1: one fma = 2); 0-flop operations apart.
struct OperationCounts {
  std::uint64_t add = 0;  ///< and sub
  std::uint64_t mul = 0;
  std::uint64_t fma = 0;  ///< flop, twice the instructions
  std::uint64_t div = 0;
  std::uint64_t sqrt = 0;
  std::uint64_t any = 0;  ///< flop whose kind is not known
  /// Maxima, comparisons, conversions, calls of exp ...: 0 flop each, never part of the work.
  std::uint64_t other = 0;
  std::uint64_t intops = 0;  ///< integer operations on data

  [[nodiscard]] std::uint64_t flops() const { return add + mul + fma + div + sqrt + any; }

  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

/// Bytes that cross a boundary. `allocate`: read only because a store to a line that is not in the
/// cache reads it first; it crosses on machines with write-allocate.
struct StreamTraffic {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t allocate = 0;

  [[nodiscard]] std::uint64_t total(bool write_allocate) const {
    return read + written + (write_allocate ? allocate : 0);
  }
  friend bool operator==(const StreamTraffic&, const StreamTraffic&) = default;
};

/// Bytes of one element: fp64 8, fp32 and tf32 4, fp16 and bf16 2, fp8 and int8 1. nullopt: there
/// is no such precision.
[[nodiscard]] std::optional<unsigned> element_bytes(std::string_view precision);
/// In the order in which messages name them.
[[nodiscard]] std::vector<std::string> known_precisions();

struct Demand {
  std::string name;
  std::string precision;  ///< of the arithmetic: "fp64", "bf16", "int8" ...
  OperationCounts work;
  StreamTraffic least;  ///< with a perfect cache: every datum crosses once
  bool matrix = false;  ///< mostly products of matrices: matrix pipes (tensor cores) can do it

  friend bool operator==(const Demand&, const Demand&) = default;
};

/// Work and least traffic in relation, without and with write-allocate.
struct DemandRatio {
  double least = 0.0;
  double write_allocate = 0.0;

  friend bool operator==(const DemandRatio&, const DemandRatio&) = default;
};
/// flop/byte (op/byte for integers). nullopt without work, and without traffic.
[[nodiscard]] std::optional<DemandRatio> intensity_of(const Demand& demand);
/// byte/flop. nullopt without work, and without traffic.
[[nodiscard]] std::optional<DemandRatio> balance_of(const Demand& demand);

}  // namespace ridge
