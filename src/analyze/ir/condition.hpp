// What runs in every iteration of a loop, and what only sometimes.
#pragma once

#include "analyze/ir/nest.hpp"

namespace ridge::analyze {

/// Whether the block runs in every iteration of the loop around it. What stands beside an inner
/// loop and is skipped with it, where that would run no time, counts as if it ran.
[[nodiscard]] bool runs_always(const llvm::BasicBlock& block, const llvm::Loop& loop,
                               const FunctionLoops& in);

/// Whether the loop is entered in every iteration of the one around it, or by the function.
[[nodiscard]] bool is_always_entered(const llvm::Loop& loop, const FunctionLoops& in);

}  // namespace ridge::analyze
