// Code by hand as if it had run. For tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "machine_code/decode.hpp"
#include "machine_code/function.hpp"
#include "measure/binary/code/module_regions.hpp"

namespace ridge::measure::binary::tests {

using Code = std::vector<std::uint8_t>;

constexpr std::uint64_t kCodeAddress = 0x1000;

inline ExecutedInstruction executed_instruction(const Code& code, std::uint64_t address,
                                                std::size_t length, std::uint64_t executions) {
  ExecutedInstruction made;
  made.address = address;
  made.length = static_cast<std::uint8_t>(length);
  std::copy_n(code.begin() + static_cast<std::ptrdiff_t>(address - kCodeAddress), length,
              made.code.begin());
  made.executions = executions;
  return made;
}

/// All instructions ran equally often.
inline ExecutedModule executed_code(const Code& code, std::uint64_t executions) {
  ExecutedModule made;
  const auto decoded = machine_code::decode(machine_code::Architecture::x86_64, code, kCodeAddress);
  for (const machine_code::Instruction& one : *decoded) {
    made.instructions.push_back(executed_instruction(code, one.address, one.length, executions));
  }
  return made;
}

/// Of one function; each block ran as often as `executions` says, by the block's number.
inline ExecutedModule executed_blocks(const Code& code, const machine_code::Function& function,
                                      const std::vector<std::uint64_t>& executions) {
  ExecutedModule made;
  for (std::size_t block = 0; block < function.blocks.size(); ++block) {
    for (const machine_code::Instruction& one : function.instructions_of(function.blocks[block])) {
      if (executions.at(block) != 0) {
        made.instructions.push_back(
            executed_instruction(code, one.address, one.length, executions[block]));
      }
    }
  }
  return made;
}

inline machine_code::Function function_of(const Code& code) {
  return machine_code::read_function(machine_code::Architecture::x86_64, code, kCodeAddress)
      .value();
}

/// One function around all that ran.
inline ModuleRegions one_region(const ExecutedModule& executed) {
  ModuleRegions made;
  ModuleRegion& region = made.regions.emplace_back();
  region.name = "all";
  region.ranges = {{executed.instructions.front().address, executed.instructions.back().end()}};
  return made;
}

/// Random bytes that begin instructions, each with executions of its own.
inline ExecutedModule random_module(std::mt19937& random) {
  Code code(200);
  std::ranges::generate(code, [&] { return static_cast<std::uint8_t>(random()); });
  ExecutedModule made = executed_code(code, 1);
  for (ExecutedInstruction& one : made.instructions) {
    one.executions = 1 + random() % 1000;
    one.active_lanes =
        random() % 3 == 0 ? std::optional<std::uint64_t>(random() % 8000) : std::nullopt;
  }
  return made;
}

}  // namespace ridge::measure::binary::tests
