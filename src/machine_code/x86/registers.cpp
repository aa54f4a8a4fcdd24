#include "machine_code/x86/registers.hpp"

#include <array>
#include <cstdint>

namespace ridge::machine_code::x86 {
namespace {

struct Entry {
  Register whole;
  std::uint16_t bits = 0;
};

constexpr std::size_t kParts = ZYDIS_REGISTER_MAX_VALUE + 1;

Register whole_of(ZydisRegister part) {
  const auto index = [](ZydisRegister one) {
    return static_cast<unsigned>(ZydisRegisterGetId(one));
  };
  switch (ZydisRegisterGetClass(part)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
      return {RegisterClass::general,
              index(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part))};
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
      return {RegisterClass::vector, index(part)};
    case ZYDIS_REGCLASS_MASK:
      return {RegisterClass::mask, index(part)};
    case ZYDIS_REGCLASS_TMM:
      return {RegisterClass::tile, index(part)};
    case ZYDIS_REGCLASS_X87:
    case ZYDIS_REGCLASS_MMX:
      return {RegisterClass::x87, 0};
    case ZYDIS_REGCLASS_IP:
    case ZYDIS_REGCLASS_FLAGS:
    case ZYDIS_REGCLASS_INVALID:
      break;
    default:
      return {RegisterClass::other, 1};
  }
  switch (part) {
    case ZYDIS_REGISTER_MXCSR:
      return {RegisterClass::other, 0};
    case ZYDIS_REGISTER_X87STATUS:
    case ZYDIS_REGISTER_X87CONTROL:
    case ZYDIS_REGISTER_X87TAG:
      return {RegisterClass::x87, 1};
    default:
      return {};
  }
}

const Entry& entry_of(ZydisRegister part) {
  static const std::array<Entry, kParts> kTable = [] {
    std::array<Entry, kParts> table{};
    for (std::size_t i = 1; i < kParts; ++i) {
      const auto one = static_cast<ZydisRegister>(i);
      table[i] = {whole_of(one), ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, one)};
    }
    return table;
  }();
  return kTable[part < kParts ? part : 0];
}

}  // namespace

Register register_of(ZydisRegister part) {
  return entry_of(part).whole;
}

unsigned width_of(ZydisRegister part) {
  return entry_of(part).bits;
}

void add_flags(ZydisAccessedFlagsMask mask, RegisterSet& set) {
  constexpr ZydisAccessedFlagsMask kResult =
      ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF;
  const auto add = [&](ZydisAccessedFlagsMask wanted, Flag flag) {
    if ((mask & wanted) != 0) {
      set.add({RegisterClass::flags, static_cast<unsigned>(flag)});
    }
  };
  add(ZYDIS_CPUFLAG_CF, Flag::carry);
  add(ZYDIS_CPUFLAG_OF, Flag::overflow);
  add(kResult, Flag::zero_sign_parity);
  add(ZYDIS_CPUFLAG_DF, Flag::direction);
}

RegisterSet flags_of(ZydisAccessedFlagsMask mask) {
  RegisterSet set;
  add_flags(mask, set);
  return set;
}

}  // namespace ridge::machine_code::x86
