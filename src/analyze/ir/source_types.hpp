// Types of the source, from debug information: which part of a structure an offset is.
#pragma once

#include <cstdint>
#include <string>

#include <llvm/IR/DebugInfoMetadata.h>

#include "core/value/polynomial.hpp"

namespace ridge::analyze {

/// Past names of types and qualifiers, and past one pointer or reference where `through_pointer`.
[[nodiscard]] const llvm::DIType* plain_type(const llvm::DIType* type, bool through_pointer);

[[nodiscard]] bool is_pointer_type(const llvm::DIType* type);
[[nodiscard]] bool is_array_type(const llvm::DIType* type);

/// Of an array, of all its dimensions; otherwise the type itself.
[[nodiscard]] const llvm::DIType* element_type(const llvm::DIType* type);

struct Member {
  std::string path;  ///< ".shape.nx"; names of libraries ("_M_start") are left out
  const llvm::DIType* type = nullptr;  ///< nullptr: there is none at this offset
  std::string name;                    ///< of the innermost one, as the library has it
};

/// The innermost member at this offset.
[[nodiscard]] Member member_at(const llvm::DIType* type, std::uint64_t offset_bits);

/// "[i].x", ".cells[4*j + k]": what lies this many bytes into elements of a type, or into one
/// object of it. Empty: the elements are no structures, or the offset is none of their parts.
[[nodiscard]] std::string part_of(const llvm::DIType* type, bool is_array,
                                  const Polynomial& offset_bytes);

}  // namespace ridge::analyze
