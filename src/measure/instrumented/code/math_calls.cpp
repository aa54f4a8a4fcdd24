#include "measure/instrumented/code/math_calls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "machine_code/decode.hpp"

namespace ridge::measure {
namespace {

using machine_code::Flow;
using machine_code::Instruction;

struct MathFunction {
  std::string_view name;
  OperationKey key;
  std::uint64_t flops;
};

constexpr std::array kFunctions{
    MathFunction{"sqrt", {Precision::fp64, OperationKind::sqrt, 64}, 1},
    MathFunction{"sqrtf", {Precision::fp32, OperationKind::sqrt, 32}, 1},
    MathFunction{"fma", {Precision::fp64, OperationKind::fma, 64}, 2},
    MathFunction{"fmaf", {Precision::fp32, OperationKind::fma, 32}, 2},
};

/// endbr64, bnd jmp *slot(%rip).
constexpr std::uint64_t kStubBytes = 16;

OperationCounts counts_of(std::string_view name) {
  OperationCounts counts;
  for (const MathFunction& function : kFunctions) {
    if (function.name == name) {
      counts.add(function.key, function.flops);
    }
  }
  return counts;
}

std::optional<std::uint64_t> slot_of(const Instruction& instruction) {
  for (const machine_code::MemoryOperand& operand : instruction.memory()) {
    if (operand.load && operand.rip_relative) {
      return operand.address;
    }
  }
  return std::nullopt;
}

}  // namespace

MathCalls::MathCalls(const machine_code::ElfImage& image) : image_(&image) {
  for (const machine_code::ImportSlot& slot : image.import_slots()) {
    if (OperationCounts counts = counts_of(slot.name); !counts.empty()) {
      by_address_[slot.address] = std::move(counts);
    }
  }
  for (const machine_code::FunctionSymbol& symbol : image.function_symbols()) {
    if (OperationCounts counts = counts_of(symbol.name); !counts.empty()) {
      by_address_[symbol.address] = std::move(counts);
    }
  }
}

std::uint64_t MathCalls::slot_behind(std::uint64_t stub) const {
  const auto bytes = image_->bytes_from(stub);
  const auto code = machine_code::decode(
      image_->architecture(), bytes.first(std::min<std::size_t>(bytes.size(), kStubBytes)), stub);
  if (!code) {
    return 0;
  }
  for (const Instruction& instruction : *code) {
    if (instruction.flow == Flow::indirect_jump) {
      return slot_of(instruction).value_or(0);
    }
    if (instruction.flow != Flow::next) {
      return 0;
    }
  }
  return 0;
}

OperationCounts MathCalls::of(const Instruction& instruction,
                              const machine_code::AddressRange& function) const {
  if (by_address_.empty()) {
    return {};
  }
  const auto counts_at = [&](std::uint64_t address) {
    const auto found = by_address_.find(address);
    return found != by_address_.end() ? found->second : OperationCounts{};
  };
  const bool jumps_out =
      (instruction.flow == Flow::jump || instruction.flow == Flow::conditional_jump) &&
      instruction.has_target && !function.contains(instruction.target);
  if ((instruction.flow == Flow::call && instruction.has_target) || jumps_out) {
    OperationCounts direct = counts_at(instruction.target);
    return direct.empty() ? counts_at(slot_behind(instruction.target)) : direct;
  }
  if (instruction.flow == Flow::indirect_call || instruction.flow == Flow::indirect_jump) {
    const auto slot = slot_of(instruction);
    return slot ? counts_at(*slot) : OperationCounts{};
  }
  return {};
}

}  // namespace ridge::measure
