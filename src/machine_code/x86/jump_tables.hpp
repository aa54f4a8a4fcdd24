// Where the indirect jump of a switch leads.
#pragma once

#include <cstdint>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::machine_code::x86 {

/// Targets of the indirect jump at position `jump`, ascending, each once, where clang and GCC wrote
/// it: offsets of 32 bits that are added to the table's address (position-independent code), or
/// addresses of 64 bits. As many entries as the compare in front of it lets pass; empty where there
/// is none, or where an entry leads to no code.
[[nodiscard]] std::vector<std::uint64_t> jump_table_targets(const ElfImage& image,
                                                            const std::vector<Instruction>& code,
                                                            std::uint32_t jump);

}  // namespace ridge::machine_code::x86
