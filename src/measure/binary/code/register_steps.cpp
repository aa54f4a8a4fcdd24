#include "measure/binary/code/register_steps.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ridge::measure::binary {
namespace {

using machine_code::MemoryOperand;
using machine_code::Register;
using machine_code::RegisterClass;
using machine_code::RegisterSet;
using Kind = RegisterStep::Kind;

Register general(unsigned number) {
  return {RegisterClass::general, number};
}

/// The parts of an encoding: Intel's manual, volume 2, chapter 2.
struct Encoding {
  std::uint8_t rex = 0;
  std::uint8_t opcode = 0;
  std::span<const std::uint8_t> rest;  ///< behind the opcode

  [[nodiscard]] unsigned reg() const { return (rest[0] >> 3U & 7U) | (rex & 4U) << 1U; }
  [[nodiscard]] unsigned rm() const { return (rest[0] & 7U) | (rex & 1U) << 3U; }
  [[nodiscard]] unsigned extension() const { return rest[0] >> 3U & 7U; }
  [[nodiscard]] bool is_of_registers() const { return !rest.empty() && rest[0] >> 6U == 3; }
};

std::optional<Encoding> encoding_of(const ExecutedInstruction& executed) {
  std::span<const std::uint8_t> code =
      std::span(executed.code).first(std::min<std::size_t>(executed.length, executed.code.size()));
  Encoding made;
  if (!code.empty() && (code[0] & 0xF0U) == 0x40) {
    made.rex = code[0];
    code = code.subspan(1);
  }
  if (code.size() < 2) {
    return std::nullopt;
  }
  made.opcode = code[0];
  made.rest = code.subspan(1);
  return made;
}

/// Of 1 or 4 bytes at the end of the encoding.
std::int64_t immediate(std::span<const std::uint8_t> bytes) {
  if (bytes.size() == 1) {
    return static_cast<std::int8_t>(bytes[0]);
  }
  std::int32_t value = 0;
  if (bytes.size() == sizeof value) {
    std::memcpy(&value, bytes.data(), sizeof value);
  }
  return value;
}

std::optional<RegisterUpdate> added(unsigned target, std::int64_t by) {
  return RegisterUpdate{general(target), general(target), {}, 1, by};
}

/// add (extension 0) and sub (5) of a constant.
std::optional<RegisterUpdate> added_constant(const Encoding& code) {
  const std::size_t size = code.opcode == 0x83 ? 1 : 4;
  if (!code.is_of_registers() || code.rest.size() != 1 + size) {
    return std::nullopt;
  }
  const std::int64_t value = immediate(code.rest.subspan(1));
  switch (code.extension()) {
    case 0:
      return added(code.rm(), value);
    case 5:
      return added(code.rm(), -value);
    default:
      return std::nullopt;
  }
}

std::optional<RegisterUpdate> lea(const Encoding& code) {
  const unsigned mode = code.rest[0] >> 6U;
  const bool has_index = (code.rest[0] & 7U) == 4;
  const bool is_rip_relative = mode == 0 && (code.rest[0] & 7U) == 5;
  if (mode == 3 || is_rip_relative || (has_index && code.rest.size() < 2)) {
    return std::nullopt;
  }
  RegisterUpdate made{general(code.reg()), general(code.rm()), {}, 1, 0};
  if (has_index) {
    const std::uint8_t sib = code.rest[1];
    const unsigned index = (sib >> 3U & 7U) | (code.rex & 2U) << 2U;
    made.base =
        (sib & 7U) == 5 && mode == 0 ? Register() : general((sib & 7U) | (code.rex & 1U) << 3U);
    made.index = index == 4 ? Register() : general(index);
    made.scale = std::int64_t{1} << (sib >> 6U);
  }
  const auto displacement = code.rest.subspan(has_index ? 2 : 1);
  made.displacement = displacement.empty() ? 0 : immediate(displacement);
  return made;
}

RegisterStep sum_of(RegisterStep a, RegisterStep b, std::int64_t scale) {
  if (a.kind == Kind::loaded || b.kind == Kind::loaded) {
    return {Kind::loaded, 0};
  }
  std::int64_t scaled = 0;
  RegisterStep sum{Kind::constant, 0};
  const bool fits = !__builtin_mul_overflow(b.step, scale, &scaled) &&
                    !__builtin_add_overflow(a.step, scaled, &sum.step);
  return a.kind == Kind::constant && b.kind == Kind::constant && fits ? sum : RegisterStep{};
}

}  // namespace

std::optional<RegisterUpdate> register_update(const ExecutedInstruction& executed) {
  const auto code = encoding_of(executed);
  if (!code) {
    return std::nullopt;
  }
  switch (code->opcode) {
    case 0x81:
    case 0x83:
      return added_constant(*code);
    case 0x05:  // add eax
      return code->rest.size() == 4 ? added(0, immediate(code->rest)) : std::nullopt;
    case 0x2D:  // sub eax
      return code->rest.size() == 4 ? added(0, -immediate(code->rest)) : std::nullopt;
    case 0xFF:  // inc, dec
      return code->is_of_registers() && code->extension() < 2
                 ? added(code->rm(), code->extension() == 0 ? 1 : -1)
                 : std::nullopt;
    case 0x8D:
      return lea(*code);
    case 0x63:  // movsxd
    case 0x8B:
      return code->is_of_registers()
                 ? std::optional(RegisterUpdate{general(code->reg()), general(code->rm())})
                 : std::nullopt;
    case 0x89:
      return code->is_of_registers()
                 ? std::optional(RegisterUpdate{general(code->rm()), general(code->reg())})
                 : std::nullopt;
    default:
      return std::nullopt;
  }
}

RegisterSteps::RegisterSteps(const LoopCode& loop) : loop_(loop) {
  for (const LoopInstruction& one : loop.instructions) {
    one.instruction.writes.for_each(
        [&](Register written) { writers_[written.position()].push_back(&one); });
  }
}

RegisterStep RegisterSteps::of(Register wanted) {
  if (wanted.is_none() || !loop_.written.contains(wanted)) {
    return {Kind::constant, 0};
  }
  auto& known = known_[wanted.position()];
  if (!known) {
    known = RegisterStep{};
    known = find(wanted);
  }
  return *known;
}

RegisterStep RegisterSteps::find(Register wanted) {
  if (const auto own = of_additions(wanted)) {
    return *own;
  }
  const Writers& writers = writers_[wanted.position()];
  if (writers.size() != 1) {
    return {};
  }
  const LoopInstruction& writer = *writers.front();
  if (loads_at_changing_address(writer)) {
    return {Kind::loaded, 0};
  }
  const auto update = register_update(writer.executed);
  if (!update || update->target != wanted) {
    return of_computed(writer, wanted);
  }
  const bool is_of_itself = update->base == wanted || update->index == wanted;
  if (is_of_itself || !loop_.runs_always(writer)) {
    return {};
  }
  return sum_of(of(update->base), of(update->index), update->scale);
}

/// All that writes it adds constants, in each turn.
std::optional<RegisterStep> RegisterSteps::of_additions(Register wanted) const {
  RegisterStep sum{Kind::constant, 0};
  for (const LoopInstruction* one : writers_[wanted.position()]) {
    const auto update = register_update(one->executed);
    const bool adds = update && update->target == wanted && update->base == wanted &&
                      update->index.is_none() && loop_.runs_always(*one);
    if (!adds || __builtin_add_overflow(sum.step, update->displacement, &sum.step)) {
      return std::nullopt;
    }
  }
  return sum;
}

bool RegisterSteps::loads_at_changing_address(const LoopInstruction& one) const {
  return std::ranges::any_of(one.instruction.memory(), [&](const MemoryOperand& operand) {
    return operand.load && !operand.implicit && !is_frame(loop_, operand) &&
           (loop_.written.contains(operand.base) || loop_.written.contains(operand.index));
  });
}

/// Shifts, products and the like: what is made of loaded values is one, all else is not known.
RegisterStep RegisterSteps::of_computed(const LoopInstruction& writer, Register wanted) {
  RegisterStep found;
  writer.instruction.reads.for_each([&](Register read) {
    const bool is_data =
        read.kind() == RegisterClass::general || read.kind() == RegisterClass::vector;
    if (is_data && read != wanted && of(read).kind == Kind::loaded) {
      found.kind = Kind::loaded;
    }
  });
  return found;
}

bool is_frame(const LoopCode& loop, const MemoryOperand& operand) {
  return operand.on_stack &&
         (operand.base == machine_code::kStackPointer || !loop.written.contains(operand.base));
}

}  // namespace ridge::measure::binary
