// Registers of x86-64 as Zydis names them, and as Ridge does.
#pragma once

#include <Zydis/Zydis.h>

#include "machine_code/register.hpp"

namespace ridge::machine_code::x86 {

/// The whole register that this one is a part of. None for the instruction pointer, and for no
/// register.
[[nodiscard]] Register register_of(ZydisRegister part);
/// Bits that it names; 0 for no register.
[[nodiscard]] unsigned width_of(ZydisRegister part);
/// Those that a mask of ZYDIS_CPUFLAG_ bits touches.
[[nodiscard]] RegisterSet flags_of(ZydisAccessedFlagsMask mask);
void add_flags(ZydisAccessedFlagsMask mask, RegisterSet& set);

}  // namespace ridge::machine_code::x86
