#include "bench/code_work.hpp"

#include <Zydis/Zydis.h>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace ridge::bench {
namespace {

struct Decoded {
  std::size_t offset = 0;
  ZydisDecodedInstruction instruction{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
};

enum class Effect { fma, add, mul, move, free };

struct MnemonicEffect {
  ZydisMnemonic mnemonic;
  Effect effect;
};

/// All that the emitter uses. `free`: neither flops nor, by itself, data.
constexpr std::array kEffects{
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213PD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213PS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213SD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213SS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231PD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231PS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231SD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231SS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDPD, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDPS, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDSD, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDSS, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULPD, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULPS, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULSD, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULSS, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVAPD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVAPS, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVSD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVSS, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_MOV, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_ADD, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_SUB, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_CMP, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_CMOVNB, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_DEC, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_JNZ, Effect::free},
};

std::optional<Effect> effect_of(ZydisMnemonic mnemonic) {
  for (const MnemonicEffect& entry : kEffects) {
    if (entry.mnemonic == mnemonic) {
      return entry.effect;
    }
  }
  return std::nullopt;
}

Result<std::vector<Decoded>> decode_all(std::span<const std::uint8_t> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::vector<Decoded> decoded;
  for (std::size_t offset = 0; offset < code.size();) {
    Decoded& next = decoded.emplace_back();
    next.offset = offset;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data() + offset, code.size() - offset,
                                             &next.instruction, next.operands.data()))) {
      return fail(ErrorCode::bad_input,
                  fmt::format("no valid instruction at byte {} of the code", offset));
    }
    offset += next.instruction.length;
  }
  return decoded;
}

struct LoopRange {
  std::size_t begin = 0;  ///< offset of the first instruction
  std::size_t end = 0;    ///< offset behind the jump back
};

std::optional<LoopRange> shortest_loop(const std::vector<Decoded>& code) {
  std::optional<LoopRange> best;
  for (const Decoded& at : code) {
    if (at.instruction.meta.category != ZYDIS_CATEGORY_COND_BR ||
        at.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
      continue;
    }
    const std::size_t end = at.offset + at.instruction.length;
    const std::int64_t target = static_cast<std::int64_t>(end) + at.operands[0].imm.value.s;
    if (target < 0 || target > static_cast<std::int64_t>(at.offset)) {
      continue;
    }
    const auto begin = static_cast<std::size_t>(target);
    if (!best || end - begin < best->end - best->begin) {
      best = LoopRange{begin, end};
    }
  }
  return best;
}

void add_memory(const ZydisDecodedOperand& operand, LoopWork& work) {
  if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM) {
    return;
  }
  const std::uint64_t bytes = operand.size / 8;
  work.loaded_bytes += (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ? bytes : 0;
  work.stored_bytes += (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 ? bytes : 0;
  work.stack_accesses +=
      operand.mem.base == ZYDIS_REGISTER_RSP || operand.mem.base == ZYDIS_REGISTER_RBP ? 1 : 0;
}

/// Lanes of the first operand: its elements, or one for a scalar operation (which names a whole
/// register but works on one element).
std::uint64_t lanes_of(const Decoded& at) {
  const ZydisDecodedOperand& target = at.operands[0];
  const bool scalar = at.instruction.mnemonic == ZYDIS_MNEMONIC_VADDSD ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VADDSS ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VMULSD ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VMULSS ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VFMADD213SD ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VFMADD213SS ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VFMADD231SD ||
                      at.instruction.mnemonic == ZYDIS_MNEMONIC_VFMADD231SS;
  return scalar ? 1 : target.size / target.element_size;
}

void add_instruction(const Decoded& at, Effect effect, LoopWork& work) {
  ++work.instructions;
  for (std::size_t i = 0; i < at.instruction.operand_count; ++i) {
    add_memory(at.operands.at(i), work);
  }
  if (effect == Effect::free) {
    return;
  }
  if (effect == Effect::move) {
    for (std::size_t i = 0; i < at.instruction.operand_count_visible; ++i) {
      const bool memory = at.operands.at(i).type == ZYDIS_OPERAND_TYPE_MEMORY;
      work.vector_bits = std::max(work.vector_bits, memory ? at.operands.at(i).size : 0U);
    }
    return;
  }
  const std::uint64_t lanes = lanes_of(at);
  work.vector_bits =
      std::max(work.vector_bits, static_cast<unsigned>(lanes) * at.operands[0].element_size);
  work.flops += lanes * (effect == Effect::fma ? 2 : 1);
  work.fma += effect == Effect::fma ? 1 : 0;
  work.add += effect == Effect::add ? 1 : 0;
  work.mul += effect == Effect::mul ? 1 : 0;
}

}  // namespace

Result<LoopWork> decode_inner_loop(std::span<const std::uint8_t> code) {
  const auto decoded = decode_all(code);
  if (!decoded) {
    return tl::make_unexpected(decoded.error());
  }
  const auto loop = shortest_loop(*decoded);
  if (!loop) {
    return fail(ErrorCode::bad_input, "the code has no loop");
  }
  LoopWork work;
  for (const Decoded& at : *decoded) {
    if (at.offset < loop->begin || at.offset >= loop->end) {
      continue;
    }
    const auto effect = effect_of(at.instruction.mnemonic);
    if (!effect) {
      return fail(ErrorCode::bad_input,
                  fmt::format("cannot count {} at byte {} of the code",
                              ZydisMnemonicGetString(at.instruction.mnemonic), at.offset));
    }
    add_instruction(at, *effect, work);
  }
  return work;
}

}  // namespace ridge::bench
