// What identifies a ceiling. Its text is the ceiling's id, by which files and results refer to it
// (docs/contracts.md, section 6).
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/identity/ceiling_kind.hpp"
#include "core/identity/isa.hpp"
#include "core/identity/level.hpp"
#include "core/identity/operation.hpp"
#include "core/identity/pattern.hpp"

namespace ridge {

/// How fast an operation runs.
struct ComputeKey {
  std::string precision;   ///< "fp64", "int8"
  std::optional<Isa> isa;  ///< absent: of vectors of any width, as published machines state it
  Operation operation = Operation::fma;
  unsigned threads = 1;

  friend auto operator<=>(const ComputeKey&, const ComputeKey&) = default;
};

/// How many bytes a second cross the boundary of a level.
struct BandwidthKey {
  Level level;
  Pattern pattern = Pattern::load;
  std::optional<Isa> isa;  ///< absent: whatever it is accessed with
  unsigned threads = 1;

  friend auto operator<=>(const BandwidthKey&, const BandwidthKey&) = default;
};

/// How long one access to a level takes.
struct LatencyKey {
  Level level;
  Pattern pattern = Pattern::chase_huge;
  unsigned threads = 1;

  friend auto operator<=>(const LatencyKey&, const LatencyKey&) = default;
};

struct CeilingKey {
  std::variant<ComputeKey, BandwidthKey, LatencyKey> limit;
  std::optional<std::string> device;  ///< absent: the CPU. No part of the id.

  friend auto operator<=>(const CeilingKey&, const CeilingKey&) = default;
};

/// "compute.fp64.avx512.fma.t1"; "vector" stands for an absent instruction set.
[[nodiscard]] std::string to_string(const ComputeKey& key);
/// "bandwidth.L2.load.avx512.t2"; "any" stands for an absent instruction set.
[[nodiscard]] std::string to_string(const BandwidthKey& key);
/// "latency.L2.chase-huge.t1".
[[nodiscard]] std::string to_string(const LatencyKey& key);
[[nodiscard]] std::string to_string(const CeilingKey& key);

[[nodiscard]] CeilingKind kind_of(const CeilingKey& key);

}  // namespace ridge
