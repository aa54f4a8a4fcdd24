#include "machine_code/instruction.hpp"

namespace ridge::machine_code {

std::uint64_t Instruction::flops() const {
  std::uint64_t sum = 0;
  for (const Operation& operation : operations()) {
    sum += operation.flops();
  }
  return sum;
}

std::uint64_t Instruction::loaded_bytes() const {
  std::uint64_t sum = 0;
  for (const MemoryOperand& operand : memory()) {
    sum += operand.load ? operand.bytes : 0;
  }
  return sum;
}

std::uint64_t Instruction::stored_bytes() const {
  std::uint64_t sum = 0;
  for (const MemoryOperand& operand : memory()) {
    sum += operand.store ? operand.bytes : 0;
  }
  return sum;
}

bool Instruction::may_be_spill() const {
  return moves && memory_count == 1 && memory_slots[0].on_stack && !memory_slots[0].implicit &&
         !memory_slots[0].segment;
}

}  // namespace ridge::machine_code
