// Which integer operations work on data, as opposed to addresses and loop control.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace ridge::pass {

/// The integer arithmetic whose result reaches a stored value, a returned value, a call argument or
/// a conversion to floating point through integer operations, without being the step of an
/// induction variable. What only feeds addresses, comparisons and branches is left out.
[[nodiscard]] llvm::DenseSet<const llvm::Instruction*> find_data_operations(
    llvm::Function& function);

/// add, sub, mul, div, rem, shift, and, or, xor on integers wider than one bit.
[[nodiscard]] bool is_integer_arithmetic(const llvm::Instruction& instruction);

}  // namespace ridge::pass
