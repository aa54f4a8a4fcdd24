// The compiler's own reasons why it did not vectorise a loop.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <llvm/Passes/PassBuilder.h>

#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// By source loop; several different reasons are joined by "; ".
class VectoriserRemarks {
 public:
  void add(const LoopKey& loop, llvm::StringRef reason);
  /// Empty: nothing was said.
  [[nodiscard]] llvm::StringRef find(const LoopKey& loop) const;

 private:
  std::map<LoopKey, std::string> reasons_;
};

/// What the parts of the pass tell each other while a module is compiled.
struct Session {
  llvm::LLVMContext* context = nullptr;  ///< known from the early part on
  VectoriserRemarks remarks;
};

/// Listens to the loop vectoriser while it runs. What the user sees stays as it is: every
/// diagnostic goes on to the handler that was there, except remarks that only exist because this
/// one asked for them. Without instrumentation callbacks (an unusual host) nothing is heard.
void listen_to_vectoriser(llvm::PassBuilder& builder, std::shared_ptr<Session> session);

}  // namespace ridge::pass
