// The flops of counters as the machine code has them, in place of those of the compiler's IR.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/region.hpp"
#include "machine_code/elf_image.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// Per count of one counter. In place of all terms of the descriptor that are flops.
struct CounterWork {
  std::vector<WorkTerm> terms;
  std::uint64_t least = 0;  ///< flops; `terms` lie between these two
  std::uint64_t most = 0;
  Traffic spilled{};  ///< bytes between registers and the frame that the IR does not have

  friend bool operator==(const CounterWork&, const CounterWork&) = default;
};

/// A function with operations that no counter reaches.
struct UncountedFunction {
  std::string name;                     ///< linkage name
  std::vector<std::uint32_t> counters;  ///< of its code: it ran if one of them is not 0

  friend bool operator==(const UncountedFunction&, const UncountedFunction&) = default;
};

/// What the machine code says of one module.
struct MachineCounts {
  /// By index of the counter. One that is not here keeps the descriptor's terms.
  std::map<std::uint32_t, CounterWork> counters;
  std::vector<UncountedFunction> uncounted;

  friend bool operator==(const MachineCounts&, const MachineCounts&) = default;
};

/// Ties the machine code of `image` to the counters of the modules that were linked into it, one
/// for each of `modules`. The rule: every block of machine code ran as often as the counter of its
/// probe says (add_block_work), and what the blocks of an execution class do together is what its
/// counters add. A class that serves several regions gives each what the IR gave it, and what
/// changed to the region that lacks it. Lanes of masked operations come from the counters of lanes,
/// where the machine code has as many masked operations as the IR; else they are an interval.
/// Errors: `bad_input` for damaged sections, `unavailable` for code of another architecture.
[[nodiscard]] Result<std::vector<MachineCounts>> machine_counts(
    const machine_code::ElfImage& image, const std::vector<Descriptor>& modules);

}  // namespace ridge::measure
