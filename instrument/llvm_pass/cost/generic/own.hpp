// What the pass itself inserted: marked, so that it is never counted and never traced.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace ridge::pass {

/// Private function that carries a source trip count from the early part to the late part:
/// void ridge.iterations(i64 iterations, i64 nesting), its debug location = the loop's.
inline constexpr const char kIterationsFunction[] = "ridge.iterations";

inline constexpr const char kOwnMetadata[] = "ridge.own";

void mark_own(llvm::Instruction* instruction);
[[nodiscard]] bool is_own(const llvm::Instruction& instruction);
[[nodiscard]] bool is_iterations_call(const llvm::Instruction& instruction);

/// Marks every instruction that it inserts.
class OwnBuilder : public llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter> {
 public:
  /// Inserts before `position`. Calls get a line-0 location where the function has debug info.
  explicit OwnBuilder(llvm::Instruction* position);
  explicit OwnBuilder(llvm::BasicBlock* end_of_block);

  /// `base` + `offset` bytes; `base` is an i8 address.
  llvm::Value* byte_address(llvm::Value* base, uint64_t offset, const llvm::Twine& name = "");
};

/// Line 0 in the function's own scope; empty without debug info.
[[nodiscard]] llvm::DebugLoc artificial_location(const llvm::Function& function);

}  // namespace ridge::pass
