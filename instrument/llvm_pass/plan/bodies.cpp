#include "instrument/llvm_pass/plan/bodies.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Function.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

bool starts_bodies(const CallBase& call) {
  static const StringSet<> names = {"__kmpc_fork_call", "__kmpc_fork_call_if", "__kmpc_fork_teams",
                                    "__kmpc_omp_task_alloc", "__kmpc_omp_target_task_alloc"};
  return names.contains(callee_name(call));
}

/// The calls that start `body`, or run it without others (`if` clause), where all stand in one
/// function; else none.
std::vector<const CallBase*> starts_of(const Function& body) {
  std::vector<const CallBase*> starts;
  bool is_body = false;
  for (const User* user : body.users()) {
    const auto* call = dyn_cast<CallBase>(user);
    const bool is_known = call && (call->getCalledOperand() == &body || starts_bodies(*call));
    if (!is_known || (!starts.empty() && starts.front()->getFunction() != call->getFunction())) {
      return {};
    }
    is_body |= call->getCalledOperand() != &body;
    starts.push_back(call);
  }
  return is_body && body.hasLocalLinkage() ? starts : std::vector<const CallBase*>{};
}

}  // namespace

OutlinedBodies::OutlinedBodies(ArrayRef<Function*> functions) {
  for (Function* function : functions) {
    std::vector<const CallBase*> starts = starts_of(*function);
    if (starts.empty()) continue;
    bodies_[starts.front()->getFunction()].push_back(function);
    starts_[function] = std::move(starts);
  }
}

std::vector<Function*> OutlinedBodies::behind_their_starters(ArrayRef<Function*> functions) const {
  std::vector<Function*> ordered;
  SmallPtrSet<const Function*, 32> seen;
  for (Function* function : functions) {
    SmallVector<Function*, 4> chain;  // innermost first
    for (Function* at = function; at && seen.insert(at).second;) {
      chain.push_back(at);
      const auto starts = starts_.find(at);
      at = starts == starts_.end() ? nullptr
                                   : const_cast<Function*>(starts->second.front()->getFunction());
    }
    ordered.insert(ordered.end(), chain.rbegin(), chain.rend());
  }
  return ordered;
}

void OutlinedBodies::place(const Function& function, const FunctionRegions& regions) {
  const auto found = bodies_.find(&function);
  if (found == bodies_.end()) return;
  for (const Function* body : found->second) {
    const auto& starts = starts_.find(body)->second;
    const uint32_t first = regions.of(starts.front()->getParent());
    const bool is_one = all_of(
        starts, [&](const CallBase* call) { return regions.of(call->getParent()) == first; });
    parents_[body] = is_one ? first : regions.function_region();
  }
}

uint32_t OutlinedBodies::parent_of(const Function& body) const {
  const auto found = parents_.find(&body);
  return found == parents_.end() ? RIDGE_NO_PARENT : found->second;
}

}  // namespace ridge::pass
