// Keeps the thread's current region up to date, for the sampler outside the process.
#pragma once

#include <llvm/IR/Dominators.h>

#include "instrument/llvm_pass/insert/counters.hpp"
#include "instrument/llvm_pass/insert/entry.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// Gives each call that will be bracketed by stores a successor of its own; before any analysis.
void split_call_edges(llvm::Function& function);

/// Where the region register is written. Planned before counters are inserted, so that what the
/// pass inserts is never seen.
class RegionRegister {
 public:
  RegionRegister(llvm::Function& function, const Analyses& analyses, FunctionRegions& regions,
                 RegionTable& table);

  void insert(const FunctionEntry& entry) const;

 private:
  struct Store {
    llvm::Instruction* before;
    uint32_t region;
    bool depth;  ///< also put the depth back: frames above are dead
  };
  void plan_versions(const Analyses& analyses);
  bool plan_together(llvm::ArrayRef<llvm::Loop*> versions, const Analyses& analyses);
  void plan_loop_exits(const llvm::LoopInfo& loops);
  void plan_preheaders(const llvm::LoopInfo& loops);
  void plan_call(llvm::CallBase& call);
  void plan_exits(llvm::BasicBlock& block);

  FunctionRegions& regions_;
  RegionTable& table_;
  std::vector<Store> stores_;
  std::vector<Store> last_stores_;  ///< at the ends of blocks, behind what a call puts back
  llvm::DenseSet<const llvm::Loop*> together_;  ///< loops that need no stores of their own
  std::vector<llvm::Instruction*> exits_;
};

}  // namespace ridge::pass
