// A copy of a program for BOLT, with entry points where we need blocks to begin.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {

/// Addresses, ascending, where BOLT shall begin a block and take it for an entry of the function:
/// the second instruction of a function and of a landing pad, what follows a call, and the
/// instruction behind that. BOLT counts edges. An edge that is the only one out of its block, falls
/// through and leads to an entry is counted where its block begins, so each of these pieces has an
/// exact count, also where calls do not come back (exceptions, longjmp, the end of the program).
/// Nothing jumps to these entries. Of functions with a symbol in sections .text alone.
[[nodiscard]] std::vector<std::uint64_t> bolt_marks(const machine_code::ElfImage& image);

/// Where exceptions enter code, ascending: those of all functions.
[[nodiscard]] std::vector<std::uint64_t> exception_entries(const machine_code::ElfImage& image);

/// `file` with a symbol for each mark, with sizes of functions that have none, and with names of
/// local functions that tell them apart where several had the same one. Errors (bad_input): what
/// ElfImage refuses; no symbol table.
[[nodiscard]] Result<std::vector<std::uint8_t>> with_bolt_symbols(
    std::span<const std::uint8_t> file, std::span<const std::uint64_t> marks);

/// Addresses of the functions of such a file by name; a name that several have is left out.
[[nodiscard]] std::map<std::string, std::uint64_t, std::less<>> bolt_function_names(
    const machine_code::ElfImage& image);

}  // namespace ridge::measure::binary
