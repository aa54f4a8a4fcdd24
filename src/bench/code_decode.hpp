// Machine code to instructions, and which of them are the innermost loop. For code_work and
// code_show only.
#pragma once

#include <Zydis/Zydis.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace ridge::bench {

struct Decoded {
  std::size_t offset = 0;
  ZydisDecodedInstruction instruction{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
};

/// The shortest loop closed by a backward conditional jump. Error: `bad_input` when there is none,
/// or with the offset of what is no instruction.
[[nodiscard]] Result<std::vector<Decoded>> inner_loop(std::span<const std::uint8_t> code);

}  // namespace ridge::bench
