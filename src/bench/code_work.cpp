#include "bench/code_work.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/code_loop.hpp"
#include "machine_code/decode.hpp"

namespace ridge::bench {
namespace {

using machine_code::ElementType;
using machine_code::Instruction;
using machine_code::MemoryOperand;
using machine_code::Operation;
using machine_code::WorkKind;

void widen(LoopWork& work, unsigned bits) {
  work.vector_bits = std::max(work.vector_bits, bits);
}

void add_access(const MemoryOperand& memory, LoopWork& work) {
  work.loaded_bytes += memory.load ? memory.bytes : 0U;
  work.stored_bytes += memory.store ? memory.bytes : 0U;
  work.accesses += memory.lanes;
  work.stack_accesses +=
      memory.base == machine_code::kStackPointer || memory.base == machine_code::kFramePointer ? 1U
                                                                                               : 0U;
}

void add_kind(WorkKind kind, LoopWork& work) {
  work.fma += kind == WorkKind::fma ? 1 : 0;
  work.add += kind == WorkKind::add ? 1 : 0;
  work.mul += kind == WorkKind::mul ? 1 : 0;
  work.div += kind == WorkKind::div ? 1 : 0;
  work.sqrt += kind == WorkKind::sqrt ? 1 : 0;
}

bool is_in_general_registers(const Instruction& at, const Operation& operation) {
  return operation.kind == WorkKind::integer && at.vector_bits == 0 && !operation.at_most;
}

/// Of integers: one that has its products and its sums, or a tile of them.
bool is_dot(const Instruction& at, const Operation& operation) {
  return operation.kind == WorkKind::integer
             ? at.operations().size() > 1 || operation.at_most
             : operation.kind == WorkKind::fma && operation.element == ElementType::bf16;
}

/// `general_is_work`: what it does with general registers is no address and no count of turns.
void add_arithmetic(const Instruction& at, bool general_is_work, LoopWork& work) {
  bool dot = false;
  for (const Operation& operation : at.operations()) {
    if (is_in_general_registers(at, operation) && !general_is_work) {
      continue;
    }
    widen(work, operation.width_bits);
    work.flops += operation.flops();
    work.ops += operation.kind == WorkKind::integer ? operation.lanes : 0U;
    if (is_dot(at, operation)) {
      dot = true;
    } else if (operation.kind == WorkKind::integer) {
      ++work.integer;
    } else {
      add_kind(operation.kind, work);
    }
  }
  work.dot += dot ? 1 : 0;
}

/// Extremes, comparisons and the like have no rate among the ceilings.
bool is_counted(const Instruction& at) {
  const auto operations = at.operations();
  return std::none_of(operations.begin(), operations.end(), [](const Operation& operation) {
    return operation.kind == WorkKind::other || operation.element == ElementType::x87;
  });
}

void add_instruction(const Instruction& at, bool general_is_work, LoopWork& work) {
  ++work.instructions;
  for (const MemoryOperand& memory : at.memory()) {
    add_access(memory, work);
    if (at.moves) {
      widen(work, memory.bytes * 8U);
    }
  }
  add_arithmetic(at, general_is_work, work);
}

}  // namespace

Result<LoopWork> decode_inner_loop(std::span<const std::uint8_t> code, GeneralRegisters general) {
  const auto loop = inner_loop(code);
  if (!loop) {
    return tl::make_unexpected(loop.error());
  }
  LoopWork work;
  const std::size_t turn_count = loop->size() < 2 ? 0 : loop->size() - 2;  // before the jump
  for (std::size_t i = 0; i < loop->size(); ++i) {
    const Instruction& at = (*loop)[i];
    if (!is_counted(at)) {
      return fail(
          ErrorCode::bad_input,
          fmt::format("cannot count {} at byte {} of the code",
                      machine_code::mnemonic_text(machine_code::Architecture::x86_64, at.mnemonic),
                      at.address));
    }
    add_instruction(at, general == GeneralRegisters::data && i < turn_count, work);
  }
  return work;
}

}  // namespace ridge::bench
