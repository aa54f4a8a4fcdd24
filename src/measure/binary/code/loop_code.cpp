#include "measure/binary/code/loop_code.hpp"

#include <algorithm>

#include "measure/binary/code/loop_flow.hpp"

namespace ridge::measure::binary {

using machine_code::Block;
using machine_code::Function;
using machine_code::Instruction;
using machine_code::Loop;
using machine_code::Register;

std::optional<LoopCode> loop_code(const ExecutedModule& executed, const Function& function,
                                  std::uint32_t index) {
  const Loop& loop = function.loops[index];
  if (loop.latches.size() != 1 || !is_innermost(function, index)) {
    return std::nullopt;
  }
  LoopCode code;
  for (const std::uint32_t block : loop.blocks) {
    for (const Instruction& in_file : function.instructions_of(function.blocks[block])) {
      const auto position = executed.find(in_file.address);
      if (!position) {
        continue;
      }
      const ExecutedInstruction& one = executed.instructions[*position];
      const auto instruction = decoded(one);
      if (!instruction) {
        return std::nullopt;
      }
      code.calls = code.calls || instruction->is_call();
      instruction->writes.for_each([&](Register written) { code.written.add(written); });
      code.instructions.push_back({one, *instruction, totals_of(one, *instruction)});
    }
  }
  const Block& latch = function.blocks[loop.latches[0]];
  code.turns = executed.executions_at(function.begin_of(latch));
  code.is_straight = loop.blocks.size() == 1 &&
                     std::ranges::all_of(code.instructions, [&](const LoopInstruction& one) {
                       return code.runs_always(one);
                     });
  return code.turns != 0 ? std::optional(std::move(code)) : std::nullopt;
}

}  // namespace ridge::measure::binary
