// What one core could do at most per cycle, from sourced tables, never from the measured value.
#pragma once

#include <optional>
#include <string_view>

#include "bench/code_work.hpp"
#include "bench/kernel_table.hpp"
#include "bench/plan.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// Bytes per element that a kernel asks for, and that cross the boundary to the level in question.
struct BoundaryBytes {
  double loaded = 0.0;     ///< asked for
  double stored = 0.0;     ///< asked for
  double allocated = 0.0;  ///< read because a store missed; 0 at L1
  double rest = 0.0;       ///< of lines of which only a part was asked for; 0 at L1

  [[nodiscard]] double asked() const { return loaded + stored; }
  [[nodiscard]] double read() const { return loaded + allocated + rest; }
  [[nodiscard]] double traffic() const { return read() + stored; }
};

/// Bytes of a bandwidth kernel's loop at a level, by the policy of the cache above it. With
/// `when_unsaturated` the write-allocate traffic of several threads is not known; it is then
/// counted, and `certain` is false.
struct BoundaryModel {
  BoundaryBytes bytes;
  bool certain = true;
};
[[nodiscard]] BoundaryModel boundary_bytes(const Machine& machine, Level level, unsigned threads,
                                           double loaded, double stored);
/// The same of a kernel: stores past the caches and stores to a line that was just loaded allocate
/// nothing; strided and gathered loads bring in whole lines.
[[nodiscard]] BoundaryModel boundary_bytes(const Machine& machine, Level level, unsigned threads,
                                           const Kernel& kernel, const LoopWork& loop);

/// Most flops that one core can do per cycle (compute kernels), or most bytes asked for per cycle
/// (bandwidth kernels; `bytes` as boundary_bytes() gives them). Compute: units * lanes * flops per
/// lane; a mix takes its sourced rate, or the sum of times on a shared pipe group; a dependent
/// chain one operation per latency; the old encoding what the new one takes. L1:
/// loads and stores each at most at their rate. Further out: lines read and lines written each at
/// most at the boundary's rate. nullopt where no source gives a number, and for a latency.
[[nodiscard]] std::optional<double> limit_per_cycle(const Microarchitecture& theory,
                                                    const PlannedKernel& planned,
                                                    const BoundaryBytes& bytes);

/// "machines/microarchitectures.json: Zen 4": there each number has its sources.
[[nodiscard]] std::string limit_source(const Microarchitecture& theory);

}  // namespace ridge::bench
