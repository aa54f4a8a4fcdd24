// What BOLT writes into a program that it instrumented: which counter counts which edge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {

/// Offsets are those in the function before instrumentation. Nodes are BOLT's blocks.
struct BoltEdge {
  std::uint32_t from = 0;  ///< the last instruction of the block that is left
  std::uint32_t from_node = 0;
  std::uint32_t to = 0;  ///< where the block begins that is entered
  std::uint32_t to_node = 0;
  std::uint32_t counter = 0;
};

/// A call, or a jump to another function, counted in front of it.
struct BoltCall {
  std::uint32_t from = 0;
  std::uint32_t counter = 0;
};

struct BoltFunction {
  std::string name;             ///< BOLT's: of a local function with "/" and a number behind it
  std::vector<BoltEdge> edges;  ///< all within the function that have a counter
  std::vector<BoltCall> calls;
  std::vector<std::uint32_t> entry_nodes;
};

struct BoltTables {
  std::vector<BoltFunction> functions;  ///< those that have an edge or a call
  /// By number of the counter: code counts in it. BOLT drops code that nothing reaches, and whole
  /// functions that it gives up after it described them.
  std::vector<bool> in_use;
};

/// Of the section .bolt.instr.tables. Errors (bad_input): there is none, or it is malformed.
[[nodiscard]] Result<BoltTables> read_bolt_tables(const machine_code::ElfImage& instrumented);

}  // namespace ridge::measure::binary
