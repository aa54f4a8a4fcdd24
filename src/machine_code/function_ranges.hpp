// Where the functions of a file begin and end.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"

namespace ridge::machine_code {

/// What says that there is a function.
enum class FunctionOrigin {
  symbol,
  unwind_table,  ///< a frame description of .eh_frame: what stripped files keep
  entry_point,   ///< of the file
};

struct FunctionRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string_view
      name;  ///< as the linker knows it, of the file's bytes; empty: no symbol begins here
  FunctionOrigin origin = FunctionOrigin::symbol;
  std::uint64_t landing_pads = 0;  ///< address of its table of landing pads (LSDA); 0: none

  friend bool operator==(const FunctionRange&, const FunctionRange&) = default;
};

/// By address, apart from one another: names of the same code are one function, called by the first
/// of its global names, and a symbol within the code of another (a second entry of assembly) is
/// part of it. Symbols and frame descriptions are taken together, since a library without .symtab
/// names its exported functions only. A symbol without a size reaches to where something else
/// begins, or to the end of its section. A part that the compiler moved away (name.cold) is a
/// function of its own. Error: `bad_input` for a malformed .eh_frame, with the offset.
[[nodiscard]] Result<std::vector<FunctionRange>> function_ranges(const ElfImage& image);

/// The frame descriptions alone: what function_ranges finds in a stripped file. Same order, same
/// errors.
[[nodiscard]] Result<std::vector<FunctionRange>> unwind_ranges(const ElfImage& image);

/// That contains `address`; nullptr for none. `ranges` as function_ranges gives them.
[[nodiscard]] const FunctionRange* find_range(const std::vector<FunctionRange>& ranges,
                                              std::uint64_t address);

}  // namespace ridge::machine_code
