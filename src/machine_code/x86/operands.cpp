#include "machine_code/x86/operands.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "machine_code/x86/effects.hpp"
#include "machine_code/x86/registers.hpp"

namespace ridge::machine_code::x86 {
namespace {

constexpr std::uint16_t kTileBytes = 1024;
constexpr unsigned kTileRows = 16;

bool reads(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
}

bool writes(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

bool is_prefetch(const ZydisDecodedInstruction& decoded) {
  return decoded.meta.category == ZYDIS_CATEGORY_PREFETCH ||
         decoded.meta.category == ZYDIS_CATEGORY_PREFETCHWT1 ||
         (decoded.mnemonic >= ZYDIS_MNEMONIC_VGATHERPF0DPD &&
          decoded.mnemonic <= ZYDIS_MNEMONIC_VGATHERPF1QPS) ||
         (decoded.mnemonic >= ZYDIS_MNEMONIC_VSCATTERPF0DPD &&
          decoded.mnemonic <= ZYDIS_MNEMONIC_VSCATTERPF1QPS);
}

/// Names memory, and moves nothing of it.
bool touches_nothing(const ZydisDecodedInstruction& decoded) {
  switch (decoded.mnemonic) {
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_CLFLUSH:
    case ZYDIS_MNEMONIC_CLFLUSHOPT:
    case ZYDIS_MNEMONIC_CLWB:
    case ZYDIS_MNEMONIC_CLDEMOTE:
    case ZYDIS_MNEMONIC_CLZERO:
    case ZYDIS_MNEMONIC_INVLPG:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
      return true;
    default:
      return decoded.meta.category == ZYDIS_CATEGORY_WIDENOP;
  }
}

bool is_non_temporal(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVNTDQ:
    case ZYDIS_MNEMONIC_MOVNTDQA:
    case ZYDIS_MNEMONIC_MOVNTI:
    case ZYDIS_MNEMONIC_MOVNTPD:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_MOVNTSD:
    case ZYDIS_MNEMONIC_MOVNTSS:
    case ZYDIS_MNEMONIC_VMOVNTDQ:
    case ZYDIS_MNEMONIC_VMOVNTDQA:
    case ZYDIS_MNEMONIC_VMOVNTPD:
    case ZYDIS_MNEMONIC_VMOVNTPS:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
      return true;
    default:
      return false;
  }
}

/// A vector register says which lanes: vmaskmovps and the like.
bool is_masked_by_vector(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
      return true;
    default:
      return false;
  }
}

/// Gathers and scatters: as many lanes as both the data and the addresses have.
unsigned lanes_of_addresses(const ZydisDecodedInstruction& decoded,
                            const ZydisDecodedOperand& operand, Operands operands) {
  // vgatherQps, vpgatherQd: the letter that says how wide an address is.
  const std::string_view name = ZydisMnemonicGetString(decoded.mnemonic);
  const bool floating = name.ends_with("ps") || name.ends_with("pd");
  const unsigned index_bits = name[name.size() - (floating ? 3 : 2)] == 'd' ? 32 : 64;
  const unsigned addresses = width_of(operand.mem.index) / index_bits;
  const auto* const data = std::find_if(
      operands.data(), operands.data() + operands.size(), [](const ZydisDecodedOperand& other) {
        return other.type == ZYDIS_OPERAND_TYPE_REGISTER && width_of(other.reg.value) >= 128;
      });
  const bool moves_data = data != operands.data() + operands.size() && operand.element_size != 0;
  const unsigned elements =
      moves_data ? width_of(data->reg.value) / operand.element_size : addresses;
  return std::max(std::min(addresses, elements), 1U);
}

void measure(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand& operand,
             Operands operands, MemoryOperand& made) {
  made.bytes = static_cast<std::uint16_t>(operand.size / 8);
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
    const unsigned lanes = lanes_of_addresses(decoded, operand, operands);
    made.lanes = static_cast<std::uint8_t>(lanes);
    made.bytes = static_cast<std::uint16_t>(lanes * operand.element_size / 8);
    made.masked = true;
  } else if (decoded.mnemonic == ZYDIS_MNEMONIC_TILELOADD ||
             decoded.mnemonic == ZYDIS_MNEMONIC_TILELOADDT1 ||
             decoded.mnemonic == ZYDIS_MNEMONIC_TILESTORED) {
    made.lanes = kTileRows;
    made.bytes = kTileBytes;
  }
}

void locate(const ZydisDecodedOperand& operand, MemoryOperand& made, std::uint64_t next) {
  const auto& place = operand.mem;
  made.rip_relative = place.base == ZYDIS_REGISTER_RIP || place.base == ZYDIS_REGISTER_EIP;
  made.base = register_of(place.base);
  made.index = register_of(place.index);
  made.scale = place.scale == 0 ? std::uint8_t{1} : place.scale;
  made.displacement = place.disp.has_displacement != 0 ? place.disp.value : 0;
  made.segment = place.segment == ZYDIS_REGISTER_FS || place.segment == ZYDIS_REGISTER_GS;
  made.on_stack =
      (made.base == kStackPointer || made.base == kFramePointer) && made.index.is_none();
  if (made.rip_relative) {
    made.address = next + static_cast<std::uint64_t>(made.displacement);
  } else if (made.base.is_none() && made.index.is_none()) {
    made.address = static_cast<std::uint64_t>(made.displacement);
  }
}

void add_address(const ZydisDecodedOperand& operand, RegisterSet& set) {
  set.add(register_of(operand.mem.base));
  set.add(register_of(operand.mem.index));
}

/// Old encodings leave the rest of a vector register as it was, but for loads and copies that clear
/// it.
bool merges_vector(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand& target,
                   Operands operands) {
  if (decoded.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || target.size >= 128) {
    return false;
  }
  switch (decoded.mnemonic) {
    case ZYDIS_MNEMONIC_MOVD:
    case ZYDIS_MNEMONIC_MOVQ:
    case ZYDIS_MNEMONIC_MOVQ2DQ:
      return false;
    case ZYDIS_MNEMONIC_MOVSS:
    case ZYDIS_MNEMONIC_MOVSD:
      return operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY;
    default:
      return true;
  }
}

/// Whether what a register held before is part of what it holds behind.
bool keeps_part(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand& target,
                Operands operands, const Instruction& made) {
  const Register whole = register_of(target.reg.value);
  if ((target.actions & ZYDIS_OPERAND_ACTION_WRITE) == 0) {
    return true;  // written only under a condition
  }
  if (whole.kind() == RegisterClass::general) {
    return width_of(target.reg.value) < 32;
  }
  if (whole.kind() == RegisterClass::vector) {
    return merges_vector(decoded, target, operands) || (made.mask && !made.mask->zeroing);
  }
  return false;
}

void add_register(const ZydisDecodedInstruction& decoded, const ZydisDecodedOperand& operand,
                  Operands operands, Instruction& made) {
  const Register whole = register_of(operand.reg.value);
  if (whole.is_none()) {
    return;
  }
  if (whole.kind() == RegisterClass::vector) {
    made.vector_bits =
        std::max(made.vector_bits, static_cast<std::uint16_t>(width_of(operand.reg.value)));
  }
  const bool written = writes(operand);
  if (written) {
    made.writes.add(whole);
  }
  if (reads(operand) || (written && keeps_part(decoded, operand, operands, made))) {
    made.reads.add(whole);
  }
}

/// x ^ x: the two last operands written are one register.
bool clears(const ZydisDecodedInstruction& decoded, Operands operands) {
  const std::size_t count = decoded.operand_count_visible;
  if (!effect_of(decoded.mnemonic).clears || count < 2 || count > 3) {
    return false;
  }
  const ZydisDecodedOperand& left = operands[count - 2];
  const ZydisDecodedOperand& right = operands[count - 1];
  return left.type == ZYDIS_OPERAND_TYPE_REGISTER && right.type == ZYDIS_OPERAND_TYPE_REGISTER &&
         left.reg.value == right.reg.value && width_of(left.reg.value) >= 32;
}

void push_back(Instruction& made, const Operation& operation) {
  if (operation.lanes > 0 && made.operation_count < Instruction::kOperations) {
    made.operation_slots[made.operation_count++] = operation;
  }
}

Operation with(Operation operation, WorkKind kind, unsigned lanes) {
  operation.kind = kind;
  operation.lanes = static_cast<std::uint16_t>(lanes);
  return operation;
}

/// Of dpps and dppd the high half of the immediate chooses the products of each 128 bits; sums join
/// those.
void add_dot_by_immediate(const Operation& basic, Operands operands, std::size_t visible,
                          Instruction& made) {
  const ZydisDecodedOperand& choice = operands[visible - 1];
  const unsigned wanted =
      static_cast<unsigned>(choice.imm.value.u >> 4) & (basic.element_bits == 64 ? 0x3U : 0xFU);
  const auto products = static_cast<unsigned>(std::popcount(wanted));
  const unsigned parts = basic.width_bits / 128;
  push_back(made, with(basic, WorkKind::mul, parts * products));
  push_back(made, with(basic, WorkKind::add, products == 0 ? 0 : parts * (products - 1)));
}

/// A full tile has 16 rows of 64 bytes: 16 x 16 sums over 64 bytes each.
void add_tile(const Operation& basic, WorkKind kind, Instruction& made) {
  Operation tile = basic;
  tile.at_most = true;
  tile.width_bits = kTileBytes * 8;
  const unsigned products = 16 * 16 * 512 / tile.element_bits;
  push_back(made, with(tile, kind, products));
  if (kind == WorkKind::integer) {
    push_back(made, with(tile, kind, products));
  }
}

/// `lanes`: elements of the register.
void add_by_form(const Effect& effect, const Operation& basic, unsigned lanes, Instruction& made) {
  switch (effect.form) {
    case Form::lanes:
    case Form::pairs:
      return push_back(made, with(basic, effect.kind, lanes));
    case Form::products:
      push_back(made, with(basic, effect.kind, lanes));
      return push_back(made, with(basic, effect.kind, lanes));
    case Form::narrowing:
      push_back(made, with(basic, effect.kind, lanes));
      return push_back(made, with(basic, effect.kind, lanes / 2));
    case Form::complex_mul:
      push_back(made, with(basic, WorkKind::mul, lanes));
      return push_back(made, with(basic, WorkKind::fma, lanes));
    case Form::complex_fma:
      return push_back(made, with(basic, WorkKind::fma, 2 * lanes));
    case Form::four:
      return push_back(made, with(basic, WorkKind::fma, 4 * lanes));
    case Form::tile:
      return add_tile(basic, effect.kind, made);
    case Form::none:
    case Form::dot_imm:
      return;
  }
}

/// A complex number of fp16 is two elements.
unsigned scalar_elements(const Effect& effect) {
  return effect.form == Form::complex_mul || effect.form == Form::complex_fma ? 2 : 1;
}

}  // namespace

unsigned vector_length(const ZydisDecodedInstruction& decoded, Operands operands) {
  if (decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
      decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW) {
    const bool wide =
        std::any_of(operands.begin(), operands.end(), [](const ZydisDecodedOperand& operand) {
          return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && width_of(operand.reg.value) == 128;
        });
    return wide ? 128 : 64;
  }
  return decoded.avx.vector_length;
}

void add_memory(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made) {
  for (const ZydisDecodedOperand& operand : operands) {
    const bool accessed =
        operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
        (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM || operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB);
    if (!accessed || touches_nothing(decoded) ||
        made.memory_count == Instruction::kMemoryOperands) {
      continue;
    }
    MemoryOperand& memory = made.memory_slots[made.memory_count++];
    locate(operand, memory, made.next());
    measure(decoded, operand, operands, memory);
    memory.prefetch = is_prefetch(decoded);
    memory.load = reads(operand) && !memory.prefetch;
    memory.store = writes(operand) && !memory.prefetch;
    memory.implicit = operand.visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
    memory.repeated = (decoded.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                             ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    memory.broadcast = decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
                       decoded.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID &&
                       decoded.avx.broadcast.is_static == 0;
    memory.masked = memory.masked || made.mask.has_value() || is_masked_by_vector(decoded.mnemonic);
    memory.non_temporal = is_non_temporal(decoded.mnemonic);
  }
}

void add_registers(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made) {
  for (const ZydisDecodedOperand& operand : operands) {
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      add_register(decoded, operand, operands, made);
    } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      add_address(operand, made.reads);
      if (operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN) {
        add_address(operand, made.address_reads);
      }
    }
  }
  if (decoded.cpu_flags != nullptr) {
    const ZydisAccessedFlags& flags = *decoded.cpu_flags;
    add_flags(flags.tested, made.reads);
    add_flags(flags.modified | flags.set_0 | flags.set_1 | flags.undefined, made.writes);
  }
  if (clears(decoded, operands)) {
    made.breaks_dependence = true;
    made.reads.remove(register_of(operands[decoded.operand_count_visible - 1U].reg.value));
  }
}

void add_operations(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made) {
  const Effect& effect = effect_of(decoded.mnemonic);
  made.moves = effect.moves;
  // A compare of strings shares its name with one of scalars (cmpsd).
  if (effect.form == Form::none || made.breaks_dependence || operands.empty() ||
      decoded.meta.category == ZYDIS_CATEGORY_STRINGOP) {
    return;
  }
  Operation basic;
  basic.element = effect.element;
  basic.element_bits =
      static_cast<std::uint8_t>(effect.element_bits != 0 ? effect.element_bits : operands[0].size);
  basic.masked = made.mask.has_value();
  const unsigned elements = scalar_elements(effect);
  const unsigned register_bits =
      effect.scalar ? elements * basic.element_bits : vector_length(decoded, operands);
  const unsigned lane_bits =
      effect.lane_bits != 0 && !effect.scalar ? effect.lane_bits : basic.element_bits;
  basic.width_bits = static_cast<std::uint16_t>(register_bits);
  if (effect.form == Form::dot_imm) {
    return add_dot_by_immediate(basic, operands, decoded.operand_count_visible, made);
  }
  add_by_form(effect, basic, lane_bits == 0 ? 0 : register_bits / lane_bits, made);
}

}  // namespace ridge::machine_code::x86
