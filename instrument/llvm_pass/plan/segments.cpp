#include "instrument/llvm_pass/plan/segments.hpp"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

// Bounds that keep the search linear; beyond them two counters do the work of one.
constexpr unsigned kDominatorSteps = 64;
constexpr unsigned kBarriersChecked = 64;
constexpr unsigned kExitsChecked = 16;
constexpr unsigned kBlocksVisited = 64;

bool ends_with_barrier(const BasicBlock& block) {
  return may_not_return(*block.getTerminator());
}

}  // namespace

Segments::Segments(DominatorTree& dominators, PostDominatorTree& post_dominators,
                   const LoopInfo& loops, bool merge)
    : dominators_(dominators), post_dominators_(post_dominators), loops_(loops) {
  dominators.updateDFSNumbers();
  post_dominators.updateDFSNumbers();
  for (const auto* node : depth_first(dominators.getRootNode())) {
    if (any_of(*node->getBlock(), may_not_return)) barrier_blocks_.push_back(node->getBlock());
  }
  for (const auto* node : depth_first(dominators.getRootNode())) {
    BasicBlock& block = *node->getBlock();
    const BasicBlock* same = merge ? equivalent_dominator(block) : nullptr;
    add_block(block);
    if (same) segments_[ranges_[&block].first].leader = class_of_end(*same);
  }
}

void Segments::add_block(BasicBlock& block) {
  const auto add = [&](Instruction* barrier) {
    const auto index = static_cast<unsigned>(segments_.size());
    segments_.push_back({&block, barrier, index});
    return index;
  };
  Range range;
  range.first = range.last = add(nullptr);
  for (Instruction& instruction : block) {
    if (!instruction.isTerminator() && may_not_return(instruction)) range.last = add(&instruction);
  }
  ranges_[&block] = range;
}

/// The nearest dominator in the same loop that runs exactly as often as `block`.
const BasicBlock* Segments::equivalent_dominator(const BasicBlock& block) const {
  const Loop* loop = loops_.getLoopFor(&block);
  const DomTreeNode* node = dominators_.getNode(&block)->getIDom();
  for (unsigned step = 0; node && step < kDominatorSteps; ++step) {
    const BasicBlock* above = node->getBlock();
    const Loop* inner = loops_.getLoopFor(above);
    if (inner == loop) {
      if (runs_equally_often(*above, block, loop)) {
        return barrier_between(*above, block) ? nullptr : above;
      }
    } else if (!loop || loop->contains(inner)) {
      while (inner->getParentLoop() != loop) inner = inner->getParentLoop();
      node = dominators_.getNode(inner->getHeader());
    } else {
      return nullptr;
    }
    node = node->getIDom();
  }
  return nullptr;
}

/// `above` dominates `below`; both lie directly in `loop`. In a loop, post-dominance is not enough:
/// the way from one to the other may lead through the next iteration.
bool Segments::runs_equally_often(const BasicBlock& above, const BasicBlock& below,
                                  const Loop* loop) const {
  if (!loop) return post_dominators_.dominates(&below, &above);
  const BasicBlock* latch = loop->getLoopLatch();
  SmallVector<BasicBlock*, 8> exiting;
  loop->getExitingBlocks(exiting);
  if (latch && dominators_.dominates(&below, latch) && exiting.size() <= kExitsChecked &&
      all_of(exiting, [&](const BasicBlock* exit) {
        return dominators_.dominates(&below, exit) || dominators_.properlyDominates(exit, &above);
      })) {
    return true;
  }
  return always_reaches(above, below, *loop);
}

/// Every way from `above` leads to `below` before the iteration ends.
bool Segments::always_reaches(const BasicBlock& above, const BasicBlock& below,
                              const Loop& loop) const {
  SmallPtrSet<const BasicBlock*, 32> seen;
  SmallVector<const BasicBlock*, 16> pending = {&above};
  while (!pending.empty()) {
    const BasicBlock* block = pending.pop_back_val();
    if (seen.size() >= kBlocksVisited || succ_empty(block)) return false;
    for (const BasicBlock* next : successors(block)) {
      if (next == &below) continue;
      if (next == loop.getHeader() || !loop.contains(next)) return false;
      if (seen.insert(next).second) pending.push_back(next);
    }
  }
  return true;
}

bool Segments::barrier_between(const BasicBlock& above, const BasicBlock& below) const {
  if (ends_with_barrier(above)) return true;
  const auto* node = dominators_.getNode(&above);
  const auto begins_in = [&](const BasicBlock* block) {
    return dominators_.getNode(block)->getDFSNumIn();
  };
  auto candidate = partition_point(barrier_blocks_, [&](const BasicBlock* block) {
    return begins_in(block) < node->getDFSNumIn();
  });
  for (unsigned checked = 0; candidate != barrier_blocks_.end(); ++candidate, ++checked) {
    if (begins_in(*candidate) > node->getDFSNumOut()) return false;
    if (checked >= kBarriersChecked) return true;
    if (*candidate == &above || *candidate == &below) continue;
    if (!dominators_.dominates(&below, *candidate)) return true;
  }
  return false;
}

unsigned Segments::class_of_start(const BasicBlock& block) const {
  const unsigned first = ranges_.lookup(&block).first;
  return segments_[first].leader;
}

unsigned Segments::class_of_end(const BasicBlock& block) const {
  const unsigned last = ranges_.lookup(&block).last;
  return segments_[last].leader;
}

unsigned Segments::class_of(const Instruction& instruction) const {
  const Range range = ranges_.lookup(instruction.getParent());
  unsigned index = range.last;
  while (index > range.first && !segments_[index].barrier->comesBefore(&instruction)) --index;
  return segments_[index].leader;
}

Instruction* Segments::position(unsigned leader) const {
  const Segment& segment = segments_[leader];
  if (segment.barrier) return segment.barrier->getNextNode();
  // The entry block ends where the entry sequence does (FunctionEntry).
  if (segment.block->isEntryBlock()) return segment.block->getTerminator();
  return &*segment.block->getFirstInsertionPt();
}

}  // namespace ridge::pass
