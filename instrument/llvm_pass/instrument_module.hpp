// The late part of the pass: everything that is inserted once the optimiser has finished.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ridge::pass {

struct InstrumentModule : llvm::PassInfoMixin<InstrumentModule> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// 64-bit little-endian ELF: what the runtime and the descriptor are made for.
[[nodiscard]] bool is_supported_target(const llvm::Module& module);

}  // namespace ridge::pass
