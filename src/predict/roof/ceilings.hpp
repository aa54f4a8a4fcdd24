// Which ceiling of a machine speaks for an operation or a level: instruction sets by width,
// measured thread counts, the nearest measured ceiling when the exact one is absent.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// Programs are counted on x86-64 alone (docs/contracts.md, section 1): widths of their operations
/// and "the widest" name instruction sets of this family.
inline constexpr IsaFamily kCountedFamily = IsaFamily::x86;
inline constexpr Isa kWidestIsa = widest_of(kCountedFamily);

/// Instruction set whose ceilings speak for a SIMD width: the narrowest that holds it.
[[nodiscard]] Isa isa_of_width(Precision precision, unsigned width_bits);

/// Thread counts with at least one compute or bandwidth ceiling of the CPU, ascending.
[[nodiscard]] std::vector<unsigned> measured_threads(const Machine& machine);

/// Hardware threads of the machine; where its topology is not known the most that were measured.
[[nodiscard]] unsigned most_threads(const Machine& machine);

/// The thread count whose ceilings stand for `threads`, and its neighbours when it was not
/// measured.
struct ThreadChoice {
  unsigned used = 1;                 ///< equal, else next lower, else the lowest that was measured
  bool exact = true;                 ///< `used` is the thread count that was asked for
  std::vector<unsigned> neighbours;  ///< next lower and next higher measured; empty when exact
};
/// nullopt when the machine has no ceiling at all.
[[nodiscard]] std::optional<ThreadChoice> choose_threads(const CeilingIndex& ceilings,
                                                         unsigned threads);

[[nodiscard]] ComputeKey compute_key(Precision precision, Isa isa, Operation operation,
                                     unsigned threads);

/// Operations whose rate may stand for that of any mix: the balanced one first.
inline constexpr std::array<Operation, 4> kMixes{Operation::fma_add, Operation::fma, Operation::add,
                                                 Operation::mul};

/// A ceiling and whether it is the one that was asked for or the nearest in its place.
struct Match {
  const Ceiling* ceiling = nullptr;  ///< nullptr: none with this operation or pattern exists
  bool same_isa = false;             ///< its instruction set is the one asked for, or it names none
  bool exact = false;                ///< instruction set and threads are those asked for
};
/// Nearest in threads (equal, next lower, next higher), then in width (from the widest for a key
/// without instruction set); of two equally near widths the wider, since a roof must not be too
/// low. Ceilings of devices and such without a positive
/// finite p90 are passed over.
[[nodiscard]] Match find_compute(const CeilingIndex& ceilings, const ComputeKey& key);
[[nodiscard]] Match find_bandwidth(const CeilingIndex& ceilings, const BandwidthKey& key);

/// The highest flop rate of any mix (fma+add, fma, add, mul) and instruction set at one precision,
/// with the thread count nearest to `threads`; of those within noise the one that
/// widest_within_noise() names.
[[nodiscard]] const Ceiling* fastest_mix(const CeilingIndex& ceilings, std::string_view precision,
                                         unsigned threads);

/// "DRAM" for a bandwidth ceiling of that level, "compute" for a compute ceiling. `id` is spelt as
/// in docs/contracts.md, section 6.
[[nodiscard]] std::string resource_of(std::string_view id);
/// The level of such an id; nullopt for a compute ceiling.
[[nodiscard]] std::optional<Level> level_of(std::string_view id);

}  // namespace ridge::predict
