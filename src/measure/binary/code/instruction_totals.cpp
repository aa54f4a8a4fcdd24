#include "measure/binary/code/instruction_totals.hpp"

#include <algorithm>
#include <string>

#include "core/quantity/saturating.hpp"
#include "machine_code/decode.hpp"
#include "measure/binary/code/mask_lanes.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Architecture;
using machine_code::ElementType;
using machine_code::Instruction;
using machine_code::MemoryOperand;
using machine_code::Operation;
using machine_code::WorkKind;

/// Lanes that were on, of all that executions had. `all` is not 0.
struct LaneShare {
  std::uint64_t on = 1;
  std::uint64_t all = 1;

  [[nodiscard]] std::uint64_t of(std::uint64_t amount) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(amount) * on / all);
  }
};

/// All of an instruction without a mask register; nullopt: nobody looked at the mask.
std::optional<LaneShare> share_of(const ExecutedInstruction& executed,
                                  const Instruction& instruction) {
  if (!instruction.mask) {
    return LaneShare{};
  }
  const auto lanes = mask_lanes(instruction);
  if (!executed.active_lanes || !lanes || *lanes == 0) {
    return std::nullopt;
  }
  const std::uint64_t all = saturating_multiply(executed.executions, *lanes);
  return LaneShare{std::min(*executed.active_lanes, all), all};
}

std::string opaque_name(const Operation& operation, const Instruction& instruction) {
  const bool has_kind = operation.kind < WorkKind::other;
  return "x87 " + std::string(has_kind ? machine_code::to_string(operation.kind)
                                       : machine_code::mnemonic_text(Architecture::x86_64,
                                                                     instruction.mnemonic));
}

void add_operation(const Operation& operation, const ExecutedInstruction& executed,
                   const Instruction& instruction, const std::optional<LaneShare>& share,
                   InstructionTotals& totals) {
  const LaneShare known = operation.masked ? share.value_or(LaneShare{}) : LaneShare{};
  const std::uint64_t lanes = known.of(saturating_multiply(executed.executions, operation.lanes));
  if (operation.element == ElementType::x87) {
    auto& sum = totals.opaque[opaque_name(operation, instruction)];
    sum = saturating_add(sum, executed.executions);
    return;
  }
  if (operation.kind == WorkKind::integer) {
    totals.intops = saturating_add(totals.intops, lanes);
    return;
  }
  const auto kind = machine_code::operation_kind(operation.kind);
  const auto precision = machine_code::precision(operation.element);
  if (!kind || !precision) {
    totals.other = saturating_add(totals.other, lanes);
    return;
  }
  const std::uint64_t flops = known.of(saturating_multiply(executed.executions, operation.flops()));
  totals.flops.add({*precision, *kind, operation.width_bits}, flops);
  const bool is_known = !operation.at_most && (!operation.masked || share);
  totals.flops_low = saturating_add(totals.flops_low, is_known ? flops : 0);
  if (operation.masked && share && !totals.masked) {
    // The mask's lanes, which a second operation of the same instruction shares.
    totals.masked = MaskedOperations{executed.executions, share->all, share->on};
  }
}

void add_operand(std::size_t index, const ExecutedInstruction& executed,
                 const Instruction& instruction, const std::optional<LaneShare>& share,
                 InstructionTotals& totals) {
  const MemoryOperand& operand = instruction.memory_slots[index];
  if (operand.prefetch) {
    return;
  }
  const bool by_register = operand.masked && instruction.mask && !operand.broadcast;
  const LaneShare known = by_register ? share.value_or(LaneShare{}) : LaneShare{};
  const std::uint64_t times =
      operand.repeated ? executed.turns.value_or(executed.executions) : executed.executions;
  const std::uint64_t bytes = known.of(saturating_multiply(times, operand.bytes));
  const Traffic moved{operand.load ? bytes : 0, operand.store ? bytes : 0};
  totals.operands[index] = moved;
  totals.has_all_lanes_bytes = totals.has_all_lanes_bytes ||
                               (operand.masked && !instruction.mask) || (by_register && !share);
  totals.has_unknown_turns = totals.has_unknown_turns || (operand.repeated && !executed.turns);
  if (operand.non_temporal) {
    totals.bytes_non_temporal = saturating_add(totals.bytes_non_temporal, moved.written);
  }
  if (!operand.index.is_none() && operand.index.kind() == machine_code::RegisterClass::vector) {
    totals.gathered = moved;
  }
}

}  // namespace

Traffic InstructionTotals::bytes() const {
  Traffic sum;
  for (const Traffic& operand : operands) {
    sum = {saturating_add(sum.read, operand.read), saturating_add(sum.written, operand.written)};
  }
  return sum;
}

InstructionTotals totals_of(const ExecutedInstruction& executed, const Instruction& instruction) {
  InstructionTotals totals;
  const auto share = share_of(executed, instruction);
  totals.has_unknown_mask = !share;
  for (const Operation& operation : instruction.operations()) {
    add_operation(operation, executed, instruction, share, totals);
  }
  for (std::size_t i = 0; i < instruction.memory().size(); ++i) {
    add_operand(i, executed, instruction, share, totals);
  }
  return totals;
}

std::optional<Instruction> decoded(const ExecutedInstruction& executed) {
  const std::size_t length = std::min<std::size_t>(executed.length, executed.code.size());
  const auto instructions = machine_code::decode(
      Architecture::x86_64, std::span(executed.code).first(length), executed.address);
  if (!instructions || instructions->size() != 1 ||
      instructions->front().flow == machine_code::Flow::undecodable) {
    return std::nullopt;
  }
  return instructions->front();
}

}  // namespace ridge::measure::binary
