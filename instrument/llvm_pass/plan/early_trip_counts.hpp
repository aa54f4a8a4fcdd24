// The early part of the pass: source trip counts, before loops are vectorised and unrolled.
#pragma once

#include <memory>

#include <llvm/IR/PassManager.h>

namespace ridge::pass {

struct Session;

/// Leaves a call of `ridge.iterations` in the preheader of each loop whose trip count is known
/// there. The late part turns it into a counter.
struct EarlyTripCounts : llvm::PassInfoMixin<EarlyTripCounts> {
  explicit EarlyTripCounts(std::shared_ptr<Session> of_module) : session(std::move(of_module)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

  std::shared_ptr<Session> session;
};

}  // namespace ridge::pass
