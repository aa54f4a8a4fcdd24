// How often each block of a program ran, from the edges that BOLT counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "machine_code/function.hpp"
#include "measure/binary/engines/bolt_tables.hpp"

namespace ridge::measure::binary {

/// Instructions that run one behind the other; only the last one may be a call or a jump.
struct CountedBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t executions = 0;  ///< not 0

  friend bool operator==(const CountedBlock&, const CountedBlock&) = default;
};

/// A return, a jump, padding: nobody asks how often it ran.
[[nodiscard]] bool does_nothing(const machine_code::Instruction& instruction);

/// Jumps from other functions to an address: how often each ran, nullopt where it was not counted.
using JumpsInto = std::map<std::uint64_t, std::vector<std::optional<std::uint64_t>>>;

struct BoltRun {
  std::span<const std::uint64_t> counters;  ///< by number
  std::vector<std::uint64_t> marks;         ///< as bolt_marks gives them
  std::vector<std::uint64_t> landing_pads;  ///< as exception_entries gives them
  JumpsInto jumps;
};

/// Of one function. What follows from the equations of flow alone: what comes
/// into a block runs it, and what runs a block leaves it, unless it ends in a call, which need not
/// come back. Blocks whose counts do not follow are left out and clear `complete`, unless all they
/// do is to return or to jump.
struct FunctionCounts {
  std::vector<CountedBlock> blocks;
  bool complete = true;
};
[[nodiscard]] FunctionCounts solve_flow(const machine_code::Function& function,
                                        const BoltFunction& counted, const BoltRun& run);

}  // namespace ridge::measure::binary
