// The late part of the pass: everything that is inserted once the optimiser has finished.
#pragma once

#include <memory>

#include <llvm/IR/PassManager.h>

namespace ridge::pass {

struct Session;

struct InstrumentModule : llvm::PassInfoMixin<InstrumentModule> {
  explicit InstrumentModule(std::shared_ptr<Session> of_module) : session(std::move(of_module)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

  std::shared_ptr<Session> session;
};

/// x86-64 in ELF files: what costs, widths of vectors, runtime and descriptor are made for.
[[nodiscard]] bool is_supported_target(const llvm::Module& module);

}  // namespace ridge::pass
