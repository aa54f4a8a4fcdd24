// The code of a region, line by line of its source and instruction by instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge {

/// What a line of the source did in a region, over the whole run and all threads. A figure without
/// a value is unknown.
struct LineWork {
  std::optional<std::string> file;  ///< nullopt: the region's own
  unsigned line = 0;
  std::optional<std::uint64_t> samples;  ///< of time; only a source that samples addresses has them
  std::optional<std::uint64_t> flops;
  std::optional<std::uint64_t> bytes_loaded;
  std::optional<std::uint64_t> bytes_stored;

  friend bool operator==(const LineWork&, const LineWork&) = default;
};

/// Figures are those of one execution.
struct CodeInstruction {
  std::uint64_t address = 0;  ///< in the file that holds it
  std::string text;           ///< as a disassembler writes it
  std::optional<unsigned> line;
  std::uint64_t flops = 0;
  std::uint64_t bytes_loaded = 0;
  std::uint64_t bytes_stored = 0;

  friend bool operator==(const CodeInstruction&, const CodeInstruction&) = default;
};

/// Instructions that run one after the other, without a way in or out between them.
struct CodeBlock {
  std::uint64_t executions = 0;  ///< over the whole run and all threads
  std::vector<CodeInstruction> instructions;

  friend bool operator==(const CodeBlock&, const CodeBlock&) = default;
};

/// Of the machine code; of the hottest regions only.
struct RegionCode {
  std::vector<LineWork> lines;             ///< by file and line; empty = unknown
  std::optional<CodeBlock> hottest_block;  ///< with most executions times instructions

  friend bool operator==(const RegionCode&, const RegionCode&) = default;
};

}  // namespace ridge
