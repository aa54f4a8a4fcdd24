// The counters of a module, and where one function adds to them.
#pragma once

#include <map>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"
#include "instrument/llvm_pass/insert/entry.hpp"

namespace ridge::pass {

struct Counter {
  uint32_t region = 0;
  bool deferred = false;
  uint32_t execution_class = 0;  ///< of the code that it belongs to
  ridge_counted counts = RIDGE_COUNTS_EXECUTIONS;
  std::map<Term, uint64_t> terms;
};

class CounterTable {
 public:
  uint32_t add(uint32_t region, uint32_t execution_class, ridge_counted counts) {
    counters_.push_back({region, false, execution_class, counts, {}});
    return static_cast<uint32_t>(counters_.size() - 1);
  }
  [[nodiscard]] Counter& operator[](uint32_t index) { return counters_[index]; }
  [[nodiscard]] const std::vector<Counter>& all() const { return counters_; }

 private:
  std::vector<Counter> counters_;
};

/// The analyses of a function that placement needs; all for the control flow as it stands.
struct Analyses {
  llvm::DominatorTree& dominators;
  llvm::PostDominatorTree& post_dominators;
  llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
  llvm::TargetTransformInfo& target;
};

/// Loops out of which control may vanish (exit, longjmp, an exception that passes through).
[[nodiscard]] llvm::DenseSet<const llvm::Loop*> loops_with_barriers(llvm::Function& function,
                                                                    const llvm::LoopInfo& loops);

/// Adds values to counters at the cheapest place that gives the same sum: lifted out of loops whose
/// trip count is known, else kept in a register while the loop runs, else in memory.
class CounterPlacement {
 public:
  CounterPlacement(llvm::Function& function, Analyses& analyses, FunctionEntry& entry,
                   CounterTable& table, bool irreducible);

  /// Adds `amount` (i64, available at the start of `block` and lifted if possible; null: cannot be
  /// lifted) or, when it is not lifted, the value of `materialize` before `position`.
  /// Several counters that always count the same share one register.
  void place(llvm::ArrayRef<uint32_t> counters, llvm::BasicBlock* block,
             llvm::Instruction* position, const llvm::SCEV* amount,
             llvm::function_ref<llvm::Value*(OwnBuilder&)> materialize);

 private:
  struct Lifted {
    llvm::BasicBlock* block;
    const llvm::SCEV* amount;
    bool moved;
  };
  Lifted lift(llvm::BasicBlock* block, const llvm::SCEV* amount);
  const llvm::SCEV* executions(const llvm::Loop& loop, const llvm::BasicBlock* block);
  bool is_contained(const llvm::Loop& loop) const;
  llvm::Loop* home_of(const llvm::BasicBlock* block) const;
  void accumulate(llvm::ArrayRef<uint32_t> counters, llvm::Instruction* position,
                  llvm::Value* value);
  void add_in_memory(llvm::ArrayRef<uint32_t> counters, llvm::Instruction* position,
                     llvm::Value* value);
  void mark_deferred(llvm::ArrayRef<uint32_t> counters);

  llvm::Function& function_;
  Analyses& analyses_;
  FunctionEntry& entry_;
  CounterTable& table_;
  llvm::SCEVExpander expander_;
  llvm::DenseSet<const llvm::Loop*> barriers_;
  bool irreducible_;
};

}  // namespace ridge::pass
