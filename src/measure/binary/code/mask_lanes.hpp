// How many lanes the mask register of an instruction of AVX-512 speaks for.
#pragma once

#include <cstdint>
#include <optional>

#include "machine_code/instruction.hpp"

namespace ridge::measure::binary {

/// Of one execution; the name of the instruction says how wide the elements are that its mask
/// chooses, which are those of what it writes. nullopt for an instruction without a mask register,
/// and where the name does not say.
[[nodiscard]] std::optional<std::uint64_t> mask_lanes(const machine_code::Instruction& instruction);

}  // namespace ridge::measure::binary
