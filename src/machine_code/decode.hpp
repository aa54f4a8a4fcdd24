// Bytes to instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/architecture.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::machine_code {

/// All of `code`, which lies at `address`, one behind the other. What begins no instruction is one
/// byte with Flow::undecodable, so lengths add up to the size of `code`. Error: `unavailable` for
/// an architecture without a decoder (AArch64).
[[nodiscard]] Result<std::vector<Instruction>> decode(Architecture architecture,
                                                      std::span<const std::uint8_t> code,
                                                      std::uint64_t address);

/// The first instruction of `code` in Intel's syntax, "vfmadd231pd ymm0, ymm1, [rax+rcx*8]";
/// targets and addresses absolute.
/// "(bad)" for what begins no instruction. Error: as decode.
[[nodiscard]] Result<std::string> disassemble(Architecture architecture,
                                              std::span<const std::uint8_t> code,
                                              std::uint64_t address);

/// "vfmadd231pd"; "invalid" for what begins no instruction.
[[nodiscard]] std::string_view mnemonic_text(Architecture architecture, std::uint16_t mnemonic);

}  // namespace ridge::machine_code
