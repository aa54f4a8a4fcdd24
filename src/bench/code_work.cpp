#include "bench/code_work.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bench/code_decode.hpp"

namespace ridge::bench {
namespace {

enum class Effect { fma, add, mul, div, sqrt, bf16_dot, int8_dot, gather, move, free };

/// Of an operation: all lanes of its register, or one although it names a whole register.
enum class Lanes { packed, scalar };

struct MnemonicEffect {
  ZydisMnemonic mnemonic;
  Effect effect;
  Lanes lanes = Lanes::packed;
};

/// All that the emitter uses. `free`: neither work nor, by itself, data.
constexpr std::array kEffects{
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213PD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213PS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213PH, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213SD, Effect::fma, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213SS, Effect::fma, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD213SH, Effect::fma, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231PD, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231PS, Effect::fma},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231SD, Effect::fma, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VFMADD231SS, Effect::fma, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDPD, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDPS, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDPH, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDSD, Effect::add, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDSS, Effect::add, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VADDSH, Effect::add, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_ADDPD, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_ADDPS, Effect::add},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULPD, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULPS, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULPH, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULSD, Effect::mul, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULSS, Effect::mul, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VMULSH, Effect::mul, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_MULPD, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_MULPS, Effect::mul},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVPD, Effect::div},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVPS, Effect::div},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVPH, Effect::div},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVSD, Effect::div, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVSS, Effect::div, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VDIVSH, Effect::div, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_DIVPD, Effect::div},
    MnemonicEffect{ZYDIS_MNEMONIC_DIVPS, Effect::div},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTPD, Effect::sqrt},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTPS, Effect::sqrt},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTPH, Effect::sqrt},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTSD, Effect::sqrt, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTSS, Effect::sqrt, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_VSQRTSH, Effect::sqrt, Lanes::scalar},
    MnemonicEffect{ZYDIS_MNEMONIC_SQRTPD, Effect::sqrt},
    MnemonicEffect{ZYDIS_MNEMONIC_SQRTPS, Effect::sqrt},
    MnemonicEffect{ZYDIS_MNEMONIC_VDPBF16PS, Effect::bf16_dot},
    MnemonicEffect{ZYDIS_MNEMONIC_VPDPBUSD, Effect::int8_dot},
    MnemonicEffect{ZYDIS_MNEMONIC_TDPBF16PS, Effect::bf16_dot},
    MnemonicEffect{ZYDIS_MNEMONIC_TDPBUSD, Effect::int8_dot},
    MnemonicEffect{ZYDIS_MNEMONIC_VGATHERDPD, Effect::gather},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVAPD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVAPS, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVSD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVSS, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVHPD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVDQA, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVNTPD, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VMOVNTPS, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_MOV, Effect::move},
    MnemonicEffect{ZYDIS_MNEMONIC_VINSERTF128, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_VINSERTF64X4, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_VPCMPEQD, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_KXNORW, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_ADD, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_SUB, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_CMP, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_LEA, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_CMOVNB, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_DEC, Effect::free},
    MnemonicEffect{ZYDIS_MNEMONIC_JNZ, Effect::free},
};

/// A tile instruction works on whole tiles, 16 rows of 64 bytes, as the emitter configures them.
constexpr unsigned kTileRows = 16;
constexpr unsigned kTileBits = kTileRows * 512;

const MnemonicEffect* effect_of(ZydisMnemonic mnemonic) {
  const auto* const found =
      std::find_if(kEffects.begin(), kEffects.end(),
                   [&](const MnemonicEffect& entry) { return entry.mnemonic == mnemonic; });
  return found == kEffects.end() ? nullptr : found;
}

bool is_tile(const Decoded& at) {
  return at.instruction.mnemonic == ZYDIS_MNEMONIC_TDPBF16PS ||
         at.instruction.mnemonic == ZYDIS_MNEMONIC_TDPBUSD;
}

void add_access(const ZydisDecodedOperand& operand, std::uint64_t bytes, unsigned accesses,
                LoopWork& work) {
  work.loaded_bytes += (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ? bytes : 0;
  work.stored_bytes += (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 ? bytes : 0;
  work.accesses += accesses;
  work.stack_accesses +=
      operand.mem.base == ZYDIS_REGISTER_RSP || operand.mem.base == ZYDIS_REGISTER_RBP ? 1 : 0;
}

/// A vector of addresses counts once for each element of the register that it fills.
void add_memory(const Decoded& at, const ZydisDecodedOperand& operand, LoopWork& work) {
  if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) {
    return;
  }
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
    const ZydisDecodedOperand& target = at.operands[0];
    constexpr unsigned kElementBits = 64;
    add_access(operand, target.size / 8, target.size / kElementBits, work);
  } else if (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM) {
    add_access(operand, operand.size / 8, 1, work);
  }
}

void widen(LoopWork& work, unsigned bits) {
  work.vector_bits = std::max(work.vector_bits, bits);
}

/// Each 32 bits of the target take a product and a sum for each pair of bf16 or each four bytes.
void add_dot(const Decoded& at, Effect effect, LoopWork& work) {
  constexpr unsigned kSumBits = 32;
  const std::uint64_t pairs = effect == Effect::bf16_dot ? 2 : 4;
  const unsigned bits = is_tile(at) ? kTileBits : at.operands[0].size;
  // A tile holds 16 x 16 sums, and each runs over 16 such groups.
  const std::uint64_t groups = is_tile(at) ? 16 : 1;
  const std::uint64_t operations = 2 * pairs * groups * (bits / kSumBits);
  (effect == Effect::bf16_dot ? work.flops : work.ops) += operations;
  ++work.dot;
  widen(work, bits);
}

void add_arithmetic(const Decoded& at, const MnemonicEffect& entry, LoopWork& work) {
  const ZydisDecodedOperand& target = at.operands[0];
  const std::uint64_t lanes = entry.lanes == Lanes::scalar ? 1 : target.size / target.element_size;
  widen(work, static_cast<unsigned>(lanes) * target.element_size);
  work.flops += lanes * (entry.effect == Effect::fma ? 2 : 1);
  work.fma += entry.effect == Effect::fma ? 1 : 0;
  work.add += entry.effect == Effect::add ? 1 : 0;
  work.mul += entry.effect == Effect::mul ? 1 : 0;
  work.div += entry.effect == Effect::div ? 1 : 0;
  work.sqrt += entry.effect == Effect::sqrt ? 1 : 0;
}

void add_instruction(const Decoded& at, const MnemonicEffect& entry, LoopWork& work) {
  ++work.instructions;
  for (std::size_t i = 0; i < at.instruction.operand_count; ++i) {
    add_memory(at, at.operands.at(i), work);
  }
  switch (entry.effect) {
    case Effect::free:
      return;
    case Effect::gather:
      widen(work, at.operands[0].size);
      return;
    case Effect::move:
      for (std::size_t i = 0; i < at.instruction.operand_count_visible; ++i) {
        const ZydisDecodedOperand& operand = at.operands.at(i);
        widen(work, operand.type == ZYDIS_OPERAND_TYPE_MEMORY ? operand.size : 0U);
      }
      return;
    case Effect::bf16_dot:
    case Effect::int8_dot:
      add_dot(at, entry.effect, work);
      return;
    default:
      add_arithmetic(at, entry, work);
  }
}

}  // namespace

Result<LoopWork> decode_inner_loop(std::span<const std::uint8_t> code) {
  const auto loop = inner_loop(code);
  if (!loop) {
    return tl::make_unexpected(loop.error());
  }
  LoopWork work;
  for (const Decoded& at : *loop) {
    const MnemonicEffect* entry = effect_of(at.instruction.mnemonic);
    if (entry == nullptr) {
      return fail(ErrorCode::bad_input,
                  fmt::format("cannot count {} at byte {} of the code",
                              ZydisMnemonicGetString(at.instruction.mnemonic), at.offset));
    }
    add_instruction(at, *entry, work);
  }
  return work;
}

}  // namespace ridge::bench
