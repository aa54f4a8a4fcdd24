#include "machine_code/x86/decoder.hpp"

#include "machine_code/x86/effects.hpp"
#include "machine_code/x86/operands.hpp"
#include "machine_code/x86/registers.hpp"

namespace ridge::machine_code::x86 {
namespace {

Instruction gap(std::uint64_t address) {
  Instruction made;
  made.address = address;
  made.flow = Flow::undecodable;
  return made;
}

Flow flow_of(const ZydisDecodedInstruction& decoded, bool direct) {
  switch (decoded.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      return direct ? Flow::call : Flow::indirect_call;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return direct ? Flow::jump : Flow::indirect_jump;
    case ZYDIS_CATEGORY_COND_BR:
      return Flow::conditional_jump;
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_SYSRET:
      return Flow::return_;
    case ZYDIS_CATEGORY_SYSCALL:
      return Flow::system_call;
    default:
      break;
  }
  switch (decoded.mnemonic) {
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
      return Flow::trap;
    case ZYDIS_MNEMONIC_INT:
      return Flow::system_call;
    default:
      return Flow::next;
  }
}

void add_flow(const ZydisDecodedInstruction& decoded, Operands operands, Instruction& made) {
  const bool relative = !operands.empty() && operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                        operands[0].imm.is_relative != 0;
  made.flow = flow_of(decoded, relative);
  // A transaction that aborts goes on at its operand.
  if (relative && decoded.mnemonic == ZYDIS_MNEMONIC_XBEGIN) {
    made.flow = Flow::conditional_jump;
  }
  if (relative && made.flow != Flow::next) {
    made.has_target = true;
    made.target = made.next() + operands[0].imm.value.u;
  }
}

void add_mask(const ZydisDecodedInstruction& decoded, Instruction& made) {
  const bool masks = decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
                     decoded.avx.mask.mode > ZYDIS_MASK_MODE_DISABLED &&
                     decoded.avx.mask.reg > ZYDIS_REGISTER_K0 &&
                     decoded.avx.mask.reg <= ZYDIS_REGISTER_K7;
  if (masks) {
    made.mask = Mask{register_of(decoded.avx.mask.reg),
                     decoded.avx.mask.mode == ZYDIS_MASK_MODE_ZEROING ||
                         decoded.avx.mask.mode == ZYDIS_MASK_MODE_CONTROL_ZEROING};
  }
}

/// Knights Corner's vectors share the prefix 62 with AVX-512; no x86-64 processor runs them.
bool is_foreign(const ZydisDecodedInstruction& decoded) {
  return decoded.encoding == ZYDIS_INSTRUCTION_ENCODING_MVEX;
}

}  // namespace

Decoder::Decoder() {
  ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

Instruction Decoder::decode(std::span<const std::uint8_t> code, std::uint64_t address) const {
  ZydisDecodedInstruction decoded;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> slots;
  ZydisDecoderContext context;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeInstruction(&decoder_, &context, code.data(), code.size(), &decoded)) ||
      is_foreign(decoded) ||
      !ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder_, &context, &decoded, slots.data(),
                                               decoded.operand_count))) {
    return gap(address);
  }
  const Operands operands = std::span(slots).first(decoded.operand_count);
  Instruction made;
  made.address = address;
  made.length = decoded.length;
  made.mnemonic = static_cast<std::uint16_t>(decoded.mnemonic);
  add_flow(decoded, operands, made);
  add_mask(decoded, made);
  add_memory(decoded, operands, made);
  add_registers(decoded, operands, made);
  add_operations(decoded, operands, made);
  return made;
}

std::string Decoder::text(std::span<const std::uint8_t> code, std::uint64_t address) const {
  ZydisDecodedInstruction decoded;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> slots;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &decoded, slots.data())) ||
      is_foreign(decoded)) {
    return "(bad)";
  }
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  std::array<char, 256> line{};
  ZydisFormatterFormatInstruction(&formatter, &decoded, slots.data(), decoded.operand_count_visible,
                                  line.data(), line.size(), address, nullptr);
  return line.data();
}

}  // namespace ridge::machine_code::x86
