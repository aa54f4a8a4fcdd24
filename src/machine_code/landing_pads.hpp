// Where exceptions enter a function.
#pragma once

#include <cstdint>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "machine_code/function_ranges.hpp"

namespace ridge::machine_code {

/// Addresses in `range`, ascending, by its table of call sites (.gcc_except_table, in the form that
/// GCC and clang write for the Itanium C++ ABI). Empty where there is none, or where it makes no
/// sense. What read_function knows.
[[nodiscard]] std::vector<std::uint64_t> landing_pads(const ElfImage& image,
                                                      const FunctionRange& range);

/// All that the table names, ascending: those of a function that the compiler split lie in its cold
/// part, which is a range of its own.
[[nodiscard]] std::vector<std::uint64_t> all_landing_pads(const ElfImage& image,
                                                          const FunctionRange& range);

}  // namespace ridge::machine_code
