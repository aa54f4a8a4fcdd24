// The innermost loop of a piece of machine code. For code_work and code_show only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::bench {

/// The shortest loop closed by a backward conditional jump; the address of an instruction is its
/// offset in `code`. Error: `bad_input` when there is none, or with the offset of what is no
/// instruction.
[[nodiscard]] Result<std::vector<machine_code::Instruction>> inner_loop(
    std::span<const std::uint8_t> code);

}  // namespace ridge::bench
