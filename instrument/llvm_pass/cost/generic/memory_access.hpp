// The memory accesses of one instruction: one description for counting bytes and for tracing.
#pragma once

#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"

namespace ridge::pass {

/// Which lanes of a vector operation are active.
struct LaneMask {
  llvm::Value* vector = nullptr;  ///< <n x i1>, or n elements whose sign bit counts; null = all
  llvm::Value* length = nullptr;  ///< i32: lanes from here on are inactive (VP); null = all
  unsigned lanes = 1;

  [[nodiscard]] bool all() const { return !vector && !length; }
  /// <n x i1> of the active lanes.
  llvm::Value* active(OwnBuilder& builder) const;
  /// i64: bit k is lane k. At most 64 lanes.
  llvm::Value* bits(OwnBuilder& builder) const;
  /// i64: number of active lanes.
  llvm::Value* count(OwnBuilder& builder) const;
};

struct MemoryAccess {
  enum class Shape {
    whole,        ///< `bytes` at `address`
    range,        ///< `length` bytes at `address`
    consecutive,  ///< lanes of `bytes` from `address` on, those that `mask` names
    scattered,    ///< lanes of `bytes` at their own addresses
    packed,       ///< active lanes only, without gaps (expandload, compressstore)
  };
  Shape shape = Shape::whole;
  llvm::Value* address = nullptr;  ///< pointer; vector of pointers when scattered without `index`
  llvm::Value* index = nullptr;    ///< scattered: lane address = address + index * scale
  uint64_t scale = 1;
  llvm::Value* length = nullptr;  ///< integer, range only
  LaneMask mask;
  uint64_t bytes = 0;  ///< of the whole access, or of one lane
  bool write = false;
  bool non_temporal = false;

  /// i64: bytes accessed; only for shapes other than `whole`.
  llvm::Value* dynamic_bytes(OwnBuilder& builder) const;
  /// <n x i64> addresses; only for consecutive and scattered.
  llvm::Value* lane_addresses(OwnBuilder& builder) const;
};

using MemoryAccesses = llvm::SmallVector<MemoryAccess, 2>;

/// Appends the accesses of `instruction`; false when it has none that are known.
bool collect_accesses(llvm::Instruction& instruction, const llvm::DataLayout& layout,
                      MemoryAccesses& accesses);

}  // namespace ridge::pass
