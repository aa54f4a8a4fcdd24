// What is changed in a program after BOLT instrumented it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {

/// Whether code of the program, as it was before, surely runs in one thread of one process: it
/// imports nothing that starts another one or loads a library, has no system calls of its own, and
/// needs no libraries but those of GCC and glibc.
[[nodiscard]] bool runs_in_one_thread(const machine_code::ElfImage& program);

/// `instrumented` with counters added to without `lock` (which takes 18 cycles): the prefix becomes
/// one that means nothing there. Errors (bad_input): those of ElfImage; BOLT's counters are not
/// there.
[[nodiscard]] Result<std::vector<std::uint8_t>> without_locks(
    std::span<const std::uint8_t> instrumented);

}  // namespace ridge::measure::binary
