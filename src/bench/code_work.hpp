// What the inner loop of a piece of machine code does, read from its bytes: the flops and bytes
// that a ceiling is computed from are those of the code that ran.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.hpp"

namespace ridge::bench {

/// Per turn of the innermost loop.
struct LoopWork {
  std::uint64_t flops = 0;  ///< fma = 2 per lane; a dot product: all its products and sums
  std::uint64_t ops = 0;    ///< the same of integers of data: no flops
  std::uint64_t loaded_bytes = 0;
  std::uint64_t stored_bytes = 0;
  unsigned fma = 0;  ///< instructions
  unsigned add = 0;
  unsigned mul = 0;
  unsigned div = 0;
  unsigned sqrt = 0;
  unsigned dot = 0;
  unsigned integer = 0;         ///< of data, dot products aside
  unsigned accesses = 0;        ///< loads and stores; a gather is one for each lane
  unsigned vector_bits = 0;     ///< widest operand; a scalar operation has its element's width
  unsigned stack_accesses = 0;  ///< spills: there must be none
  unsigned instructions = 0;

  friend bool operator==(const LoopWork&, const LoopWork&) = default;
};

/// What a loop has in its general registers: data only where it calculates with scalar integers,
/// and there the operation before its jump back alone is its own, the count of turns.
enum class GeneralRegisters { addresses, data };

/// Decodes x86-64 code and adds up the shortest loop closed by a backward conditional jump. What an
/// instruction does is what src/machine_code says; one that computes what no ceiling counts (an
/// extreme, a comparison, x87) is an error, never silently free. Error: `bad_input`, with the
/// offset of the instruction.
[[nodiscard]] Result<LoopWork> decode_inner_loop(
    std::span<const std::uint8_t> code, GeneralRegisters general = GeneralRegisters::addresses);

}  // namespace ridge::bench
