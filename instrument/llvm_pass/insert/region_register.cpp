#include "instrument/llvm_pass/insert/region_register.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"
#include "instrument/llvm_pass/cost/generic/own.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// An exit block that is left for the next loop so soon is not worth a store of its own.
constexpr size_t kShortBlock = 24;
/// How much may lie between the two stores that several versions of a loop share.
constexpr size_t kVersionsTogether = 8;
constexpr size_t kBlocksTogether = 64;

bool leaves(const CallBase& call) {
  const CallKind kind = classify(call);
  return (kind == CallKind::external || kind == CallKind::waiting) && !call.isMustTailCall();
}

bool returns_twice(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && call->hasFnAttr(Attribute::ReturnsTwice);
}

bool is_short(const BasicBlock& block) {
  return block.size() <= kShortBlock && none_of(block, [](const Instruction& instruction) {
           return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
         });
}

}  // namespace

void split_call_edges(Function& function) {
  SmallVector<InvokeInst*, 16> shared;
  for (BasicBlock& block : function) {
    auto* invoke = dyn_cast<InvokeInst>(block.getTerminator());
    if (invoke && !invoke->getNormalDest()->getSinglePredecessor()) shared.push_back(invoke);
  }
  for (InvokeInst* invoke : shared) SplitEdge(invoke->getParent(), invoke->getNormalDest());
}

RegionRegister::RegionRegister(Function& function, const Analyses& analyses,
                               FunctionRegions& regions, RegionTable& table)
    : regions_(regions), table_(table) {
  plan_versions(analyses);
  plan_loop_exits(analyses.loops);
  for (BasicBlock& block : function) {
    if (block.isLandingPad()) {
      stores_.push_back({&*block.getFirstInsertionPt(), regions_.of(&block), true});
    }
    for (Instruction& instruction : block) {
      if (auto* call = dyn_cast<CallBase>(&instruction)) plan_call(*call);
    }
    plan_exits(block);
  }
  plan_preheaders(analyses.loops);
  append_range(stores_, last_stores_);
}

/// Vector body, remainder and the like, one behind the other: one store in front, one behind.
void RegionRegister::plan_versions(const Analyses& analyses) {
  MapVector<uint32_t, SmallVector<Loop*, 4>> by_region;
  for (Loop* loop : analyses.loops.getLoopsInPreorder())
    by_region[regions_.of(loop)].push_back(loop);
  for (const auto& [region, versions] : by_region) {
    if (versions.size() > 1 && versions.size() <= kVersionsTogether &&
        plan_together(versions, analyses)) {
      together_.insert(versions.begin(), versions.end());
    }
  }
}

namespace {

/// The block that leads to all `versions` and the block in which all of them end.
struct Surroundings {
  BasicBlock* front = nullptr;
  BasicBlock* behind = nullptr;
};

std::optional<Surroundings> surroundings_of(ArrayRef<Loop*> versions, const Analyses& analyses) {
  const Loop* outer = versions.front()->getParentLoop();
  Surroundings result;
  auto& [front, behind] = result;
  for (Loop* loop : versions) {
    BasicBlock* preheader = loop->getLoopPreheader();
    SmallVector<BasicBlock*, 4> exits;
    loop->getUniqueExitBlocks(exits);
    if (!preheader || exits.empty() || loop->getParentLoop() != outer) return std::nullopt;
    front = front ? analyses.dominators.findNearestCommonDominator(front, preheader) : preheader;
    for (BasicBlock* exit : exits) {
      behind = behind ? analyses.post_dominators.findNearestCommonDominator(behind, exit) : exit;
      if (!behind) return std::nullopt;
    }
  }
  const bool beside = front && analyses.loops.getLoopFor(front) == outer &&
                      analyses.loops.getLoopFor(behind) == outer;
  if (!beside || front == behind || behind->isEHPad()) return std::nullopt;
  return result;
}

/// Nothing but the versions and short straight code lies between front and behind.
bool holds_only(const Surroundings& around, ArrayRef<Loop*> versions, const LoopInfo& loops) {
  const Loop* outer = versions.front()->getParentLoop();
  const auto belongs = [&](const BasicBlock* block) {
    if (block == around.front || (outer && block == outer->getHeader())) return false;
    return any_of(versions, [&](const Loop* version) { return version->contains(block); }) ||
           (loops.getLoopFor(block) == outer && is_short(*block));
  };
  SmallPtrSet<const BasicBlock*, 16> seen = {around.front};
  SmallVector<const BasicBlock*, 16> pending = {around.front};
  while (!pending.empty()) {
    const BasicBlock* block = pending.pop_back_val();
    if (seen.size() > kBlocksTogether || succ_empty(block)) return false;
    for (const BasicBlock* next : successors(block)) {
      if (next == around.behind) continue;
      if (!belongs(next)) return false;
      if (seen.insert(next).second) pending.push_back(next);
    }
  }
  return true;
}

}  // namespace

bool RegionRegister::plan_together(ArrayRef<Loop*> versions, const Analyses& analyses) {
  const std::optional<Surroundings> around = surroundings_of(versions, analyses);
  if (!around || !holds_only(*around, versions, analyses.loops)) return false;
  last_stores_.push_back({around->front->getTerminator(), regions_.of(versions.front()), false});
  stores_.push_back({&*around->behind->getFirstInsertionPt(), regions_.of(around->behind), false});
  return true;
}

void RegionRegister::plan_preheaders(const LoopInfo& loops) {
  for (Loop* loop : const_cast<LoopInfo&>(loops).getLoopsInPreorder()) {
    if (together_.contains(loop)) continue;
    if (BasicBlock* preheader = loop->getLoopPreheader()) {
      last_stores_.push_back({preheader->getTerminator(), regions_.of(loop), false});
    }
  }
}

void RegionRegister::plan_loop_exits(const LoopInfo& loops) {
  SmallPtrSet<BasicBlock*, 32> preheaders;
  SmallPtrSet<BasicBlock*, 32> exits;
  SmallVector<BasicBlock*, 32> exit_order;
  for (Loop* loop : const_cast<LoopInfo&>(loops).getLoopsInPreorder()) {
    if (together_.contains(loop)) continue;
    if (BasicBlock* preheader = loop->getLoopPreheader()) {
      preheaders.insert(preheader);
    } else {  // entered by a computed goto: then each iteration stores
      stores_.push_back({&*loop->getHeader()->getFirstInsertionPt(), regions_.of(loop), false});
    }
    SmallVector<BasicBlock*, 8> unique;
    loop->getUniqueExitBlocks(unique);
    for (BasicBlock* exit : unique) {
      if (exits.insert(exit).second) exit_order.push_back(exit);
    }
  }
  for (BasicBlock* exit : exit_order) {
    const bool overwritten = preheaders.contains(exit) && is_short(*exit);
    const bool ends = isa<UnreachableInst>(exit->getTerminator()) && is_short(*exit);
    if (overwritten || ends || exit->isLandingPad()) continue;
    stores_.push_back({&*exit->getFirstInsertionPt(), regions_.of(exit), false});
  }
}

void RegionRegister::plan_call(CallBase& call) {
  const bool twice = returns_twice(call);
  if ((!leaves(call) && !twice) || is_iterations_call(call)) return;
  const uint32_t here = regions_.of(call.getParent());
  if (leaves(call)) {
    const uint32_t there = classify(call) == CallKind::waiting
                               ? table_.wait_region(here, callee_name(call), call.getDebugLoc())
                               : table_.call_region(here, callee_name(call));
    stores_.push_back({&call, there, false});
  }
  Instruction* after = call.getNextNode();
  uint32_t region = here;
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    after = &*invoke->getNormalDest()->getFirstInsertionPt();
    region = regions_.of(invoke->getNormalDest());
  }
  if (after && !isa<UnreachableInst>(after)) stores_.push_back({after, region, twice});
}

void RegionRegister::plan_exits(BasicBlock& block) {
  if (CallInst* last = block.getTerminatingMustTailCall()) {
    exits_.push_back(last);
  } else if (isa<ReturnInst, ResumeInst>(block.getTerminator())) {
    exits_.push_back(block.getTerminator());
  }
}

void RegionRegister::insert(const FunctionEntry& entry) const {
  for (const Store& store : stores_) {
    OwnBuilder builder(store.before);
    if (store.depth) builder.CreateStore(entry.depth_inside(), entry.thread(), true);
    builder.CreateStore(builder.getInt32(store.region), entry.frame(), true);
  }
  for (Instruction* exit : exits_) {
    OwnBuilder(exit).CreateStore(entry.depth_outside(), entry.thread(), true);
  }
}

}  // namespace ridge::pass
