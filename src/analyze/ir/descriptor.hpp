// Descriptors of arrays of Fortran, as flang has them: what comes with assumed-shape, allocatable
// and pointer arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace ridge::analyze {

struct DescriptorField {
  enum class Kind { lower_bound, extent, stride };

  Kind kind = Kind::extent;
  std::string array;
  unsigned dimension = 1;          ///< from 1
  std::int64_t element_bytes = 0;  ///< 0: unknown
};

/// What a load reads of a descriptor; nullopt: nothing, or not of one.
[[nodiscard]] std::optional<DescriptorField> descriptor_field(llvm::LoadInst& load,
                                                              const llvm::DataLayout& layout);

/// Whether a load reads a descriptor: no access of the source.
[[nodiscard]] bool is_of_descriptor(llvm::LoadInst& load, const llvm::DataLayout& layout);

}  // namespace ridge::analyze
