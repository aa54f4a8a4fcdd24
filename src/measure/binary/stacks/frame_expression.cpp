#include "measure/binary/stacks/frame_expression.hpp"

#include <dwarf.h>
#include <vector>

namespace ridge::measure::binary {
namespace {

constexpr std::size_t kMostOperations = 64;

/// The stack of numbers that the operations work on.
class Evaluation {
 public:
  Evaluation(const FrameRegisters& registers, const StackMemory& memory,
             std::optional<std::uint64_t> frame_address)
      : registers_(registers), memory_(memory), frame_address_(frame_address) {}

  /// False where it cannot go on.
  bool run(const Dwarf_Op& operation) {
    const unsigned atom = operation.atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
      return push(atom - DW_OP_lit0);
    }
    if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
      return push_register(atom - DW_OP_breg0, operation.number);
    }
    switch (atom) {
      case DW_OP_bregx:
        return push_register(operation.number, operation.number2);
      case DW_OP_call_frame_cfa:
        return frame_address_ && push(*frame_address_);
      case DW_OP_const1u:
      case DW_OP_const1s:
      case DW_OP_const2u:
      case DW_OP_const2s:
      case DW_OP_const4u:
      case DW_OP_const4s:
      case DW_OP_const8u:
      case DW_OP_const8s:
      case DW_OP_constu:
      case DW_OP_consts:
        return push(operation.number);
      case DW_OP_deref:
        return dereference();
      case DW_OP_plus_uconst:
        return push(operation.number) && combine(DW_OP_plus);
      case DW_OP_stack_value:
        is_value_ = true;
        return !numbers_.empty();
      default:
        return combine(atom);
    }
  }

  [[nodiscard]] std::optional<FrameValue> result() const {
    return numbers_.empty() ? std::nullopt : std::optional(FrameValue{numbers_.back(), !is_value_});
  }

 private:
  bool push(std::uint64_t number) {
    numbers_.push_back(number);
    return true;
  }

  bool push_register(std::uint64_t number, std::uint64_t offset) {
    return number < registers_.size() && registers_[number] && push(*registers_[number] + offset);
  }

  std::optional<std::uint64_t> pop() {
    if (numbers_.empty()) {
      return std::nullopt;
    }
    const std::uint64_t number = numbers_.back();
    numbers_.pop_back();
    return number;
  }

  bool dereference() {
    const auto address = pop();
    const auto number = address ? memory_.at(*address) : std::nullopt;
    return number && push(*number);
  }

  /// Two numbers into one.
  bool combine(unsigned atom) {
    const auto second = pop();
    const auto first = pop();
    if (!first || !second) {
      return false;
    }
    switch (atom) {
      case DW_OP_plus:
        return push(*first + *second);
      case DW_OP_minus:
        return push(*first - *second);
      case DW_OP_mul:
        return push(*first * *second);
      case DW_OP_and:
        return push(*first & *second);
      case DW_OP_or:
        return push(*first | *second);
      case DW_OP_shl:
        return *second < 64 && push(*first << *second);
      case DW_OP_ge:
        return push(static_cast<std::int64_t>(*first) >= static_cast<std::int64_t>(*second));
      default:
        return false;
    }
  }

  const FrameRegisters& registers_;
  const StackMemory& memory_;
  std::optional<std::uint64_t> frame_address_;
  std::vector<std::uint64_t> numbers_;
  bool is_value_ = false;
};

}  // namespace

std::optional<FrameValue> evaluate(std::span<const Dwarf_Op> operations,
                                   const FrameRegisters& registers, const StackMemory& memory,
                                   std::optional<std::uint64_t> frame_address) {
  if (operations.size() > kMostOperations) {
    return std::nullopt;
  }
  Evaluation evaluation(registers, memory, frame_address);
  for (const Dwarf_Op& operation : operations) {
    if (!evaluation.run(operation)) {
      return std::nullopt;
    }
  }
  return evaluation.result();
}

}  // namespace ridge::measure::binary
