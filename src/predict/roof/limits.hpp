// The least time that each resource of a machine needs for the work and the traffic of a region.
// The roof is the work over the largest of these times. Formulas and sources:
// docs/theory/roofline.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// What one resource needs for a region.
struct Limit {
  std::optional<Level> level;  ///< whose bandwidth it is; absent: arithmetic
  std::string ceiling;         ///< id of the ceiling that says so
  double seconds = 0.0;        ///< positive and finite
};

/// Adds a note unless one with this code and text is there.
void add_note(std::vector<Note>& notes, std::string code, std::string text);

/// Time of the region's own mix of operations with the ceilings of `threads` threads: the slowest
/// pipe group, or the operations that pair with an fma at the rate of the balanced mix if longer.
/// Without a microarchitecture: the balanced maximum. nullopt without work or without any ceiling
/// for it.
[[nodiscard]] std::optional<Limit> own_mix_limit(const Work& work, const CeilingIndex& ceilings,
                                                 const Microarchitecture* microarchitecture,
                                                 unsigned threads, std::vector<Note>& notes);

/// Time of the same number of flops in the best mix and instruction set that the machine has; that
/// of the code's `own_mix` if it is faster and complete.
[[nodiscard]] std::optional<Limit> best_mix_limit(const Work& work, const CeilingIndex& ceilings,
                                                  unsigned threads,
                                                  const std::optional<Limit>& own_mix);

/// Bytes that the region loads and stores (registers-L1).
[[nodiscard]] Traffic l1_bytes(const Region& region);

/// max(loaded / b_load, stored / b_store, all / b_mixed) with ceilings of `isa`.
[[nodiscard]] std::optional<Limit> l1_limit(Traffic bytes, const CeilingIndex& ceilings, Isa isa,
                                            unsigned threads, std::vector<Note>& notes);

/// Traffic of the region at a level, or nothing when unknown; of a victim cache without the clean
/// lines that its inner cache throws out, since the rates of the ceilings do not contain them
/// either. How many of the written lines are dirty is not known: at most as many as were written
/// inwards.
[[nodiscard]] Traffic boundary_traffic(const Region& region, Level level, const Machine& machine);

/// Time of traffic across a boundary beyond L1: the time per byte is interpolated by the written
/// share between the load, copy and store ceilings, whose rates contain the write-allocate traffic.
[[nodiscard]] std::optional<Limit> boundary_limit(Traffic traffic, Level level,
                                                  const CeilingIndex& ceilings, unsigned threads,
                                                  std::vector<Note>& notes);

/// The code bound's limits: the region's own mix of operations and widths, ceilings of `threads`
/// threads. Compute first (when there is one), then L1, then the outer levels.
[[nodiscard]] std::vector<Limit> code_limits(const Region& region, const CeilingIndex& ceilings,
                                             const Microarchitecture* microarchitecture,
                                             unsigned threads, std::vector<Note>& notes);

/// The machine bound's limits: best mix and widths, most threads. `code` are those of the code
/// bound.
[[nodiscard]] std::vector<Limit> machine_limits(const Region& region, const CeilingIndex& ceilings,
                                                const std::vector<Limit>& code);

/// Instruction set of the width that does most of the flops; the widest one without work.
[[nodiscard]] Isa dominating_isa(const Work& work);

}  // namespace ridge::predict
