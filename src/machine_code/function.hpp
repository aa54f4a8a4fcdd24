// A function taken apart: instructions, blocks, loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"
#include "machine_code/function_ranges.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::machine_code {

/// How control leaves a block.
enum class BlockEnd : std::uint8_t {
  falls_through,     ///< the next block is entered from elsewhere, too
  jump,              ///< within the function
  conditional_jump,  ///< one of its ways may leave the function: then `leaves`
  jump_table,        ///< its targets were read
  unknown_jump,      ///< indirect, its targets are not known
  tail_jump,         ///< to another function, known or not, and not back
  return_,
  trap,
  call_without_return,  ///< nothing lies behind the call, or the callee is known not to come back
  gap,                  ///< runs into bytes that are no instruction, or out of the function
};

/// Instructions that run one behind the other, unless a call among them does not come back.
struct Block {
  std::uint32_t first = 0;                ///< among the function's instructions
  std::uint32_t count = 0;                ///< at least 1
  std::vector<std::uint32_t> successors;  ///< blocks, ascending, each once
  std::vector<std::uint32_t> predecessors;
  BlockEnd end = BlockEnd::falls_through;
  bool calls = false;   ///< one of its instructions is a call
  bool leaves = false;  ///< one way out leads out of the function
  /// Control comes here in a way that no edge shows: the function's entry, landing pads of
  /// exceptions, and blocks that nothing known leads to (targets of unknown jumps). Padding
  /// in front of an aligned loop never runs and is not entered.
  bool entered_from_elsewhere = false;
  bool landing_pad = false;
  std::optional<std::uint32_t> loop;  ///< the innermost one
};

/// A natural loop: the blocks of all back edges to one header.
struct Loop {
  std::uint32_t header = 0;
  std::vector<std::uint32_t> blocks;   ///< ascending; those of inner loops too
  std::vector<std::uint32_t> latches;  ///< where back edges begin
  std::optional<std::uint32_t> parent;
  std::uint32_t depth = 1;  ///< 1: in no other
};

struct Function {
  std::string name;  ///< as the linker knows it; empty: unknown
  AddressRange range;
  std::vector<Instruction> instructions;  ///< by address, all of the range
  std::vector<Block> blocks;              ///< by address; the first is the entry
  std::vector<Loop> loops;  ///< by depth, then header: an outer one before those in it
  bool has_unknown_jumps =
      false;  ///< indirect jumps whose targets are not known: edges and loops may be missing
  bool irreducible = false;  ///< some cycle has several entries, so it is no natural loop; or
                             ///< loops nest too deeply to be told apart (then there are none)
  std::uint64_t undecodable_bytes = 0;

  [[nodiscard]] std::span<const Instruction> instructions_of(const Block& block) const {
    return std::span(instructions).subspan(block.first, block.count);
  }
  [[nodiscard]] std::uint64_t begin_of(const Block& block) const {
    return instructions[block.first].address;
  }
  /// The block that holds the instruction at `address`; nullopt where none does.
  [[nodiscard]] std::optional<std::uint32_t> block_at(std::uint64_t address) const;
};

/// Errors: `bad_input` where the range is not in the file; `unavailable` as decode.
[[nodiscard]] Result<Function> read_function(const ElfImage& image, const FunctionRange& range);

/// Of code alone, which lies at `address`: no tables, landing pads or callees are known. Error:
/// `unavailable` as decode.
[[nodiscard]] Result<Function> read_function(Architecture architecture,
                                             std::span<const std::uint8_t> code,
                                             std::uint64_t address);

}  // namespace ridge::machine_code
