// Straight stretches of code that run equally often.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

namespace ridge::pass {

/// A block, cut behind each call that may not come back. Segments of one class run equally often;
/// a class is named by its first segment, which dominates the others.
class Segments {
 public:
  struct Segment {
    llvm::BasicBlock* block = nullptr;
    llvm::Instruction* barrier = nullptr;  ///< the call that it starts behind; null: block start
    unsigned leader = 0;                   ///< the class: index of its first segment
  };

  /// `merge` false leaves every segment its own class (irreducible control flow).
  Segments(llvm::DominatorTree& dominators, llvm::PostDominatorTree& post_dominators,
           const llvm::LoopInfo& loops, bool merge);

  [[nodiscard]] const std::vector<Segment>& all() const { return segments_; }
  /// The class of a segment that holds `instruction`; undefined for unreachable code.
  [[nodiscard]] unsigned class_of(const llvm::Instruction& instruction) const;
  [[nodiscard]] unsigned class_of_start(const llvm::BasicBlock& block) const;
  [[nodiscard]] unsigned class_of_end(const llvm::BasicBlock& block) const;
  /// Where a counter of the class adds.
  [[nodiscard]] llvm::Instruction* position(unsigned leader) const;

 private:
  struct Range {
    unsigned first = 0;
    unsigned last = 0;
  };
  void add_block(llvm::BasicBlock& block);
  const llvm::BasicBlock* equivalent_dominator(const llvm::BasicBlock& block) const;
  bool runs_equally_often(const llvm::BasicBlock& above, const llvm::BasicBlock& below,
                          const llvm::Loop* loop) const;
  bool always_reaches(const llvm::BasicBlock& above, const llvm::BasicBlock& below,
                      const llvm::Loop& loop) const;
  bool barrier_between(const llvm::BasicBlock& above, const llvm::BasicBlock& below) const;

  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& post_dominators_;
  const llvm::LoopInfo& loops_;
  std::vector<Segment> segments_;
  llvm::DenseMap<const llvm::BasicBlock*, Range> ranges_;
  std::vector<const llvm::BasicBlock*> barrier_blocks_;  ///< in order of the dominator tree
};

}  // namespace ridge::pass
