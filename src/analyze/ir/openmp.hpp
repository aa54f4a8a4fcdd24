// Loops of OpenMP as one thread would run them.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>

namespace ridge::analyze {

/// Calls the body of a parallel region where the region stands, and gives a loop whose iterations
/// are divided among threads all of them: what `__kmpc_for_static_init` and `__kmpc_dispatch_next`
/// of LLVM's runtime library would divide. Such loops are marked.
void inline_parallel_regions(llvm::Module& program);

/// Whether the loop is so marked.
[[nodiscard]] bool is_work_shared(const llvm::Loop& loop);

}  // namespace ridge::analyze
