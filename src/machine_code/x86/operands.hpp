// What Zydis says of an instruction's operands, as Ridge's values.
#pragma once

#include <Zydis/Zydis.h>
#include <span>

#include "machine_code/instruction.hpp"

namespace ridge::machine_code::x86 {

using Operands = std::span<const ZydisDecodedOperand>;

/// Bits of the vector registers that it works on: 512, 256, 128, or 64 (MMX).
[[nodiscard]] unsigned vector_length(const ZydisDecodedInstruction& decoded, Operands operands);

/// Each adds its part to `made`, whose address, length and mask are known.
void add_memory(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made);
void add_registers(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made);
void add_operations(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made);

}  // namespace ridge::machine_code::x86
