// From offsets in a file to the addresses that the file gives its code.
#pragma once

#include <cstdint>
#include <optional>

#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {

/// By the loaded segments, executable ones first; nullopt where the file loads nothing from this
/// offset.
[[nodiscard]] std::optional<std::uint64_t> file_address(const machine_code::ElfImage& image,
                                                        std::uint64_t offset);

}  // namespace ridge::measure::binary
