// Counts the work, entries and iterations of one function.
#pragma once

#include "instrument/llvm_pass/insert/block_probes.hpp"
#include "instrument/llvm_pass/insert/counters.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// What a function does, gathered before anything is inserted.
class FunctionCounting {
 public:
  FunctionCounting(llvm::Function& function, Analyses& analyses, FunctionRegions& regions,
                   CounterTable& table, ProbeTable& probes, StringTable& strings);
  ~FunctionCounting();

  /// Inserts the counters.
  void insert(FunctionEntry& entry);

  /// Marks each stretch of code with a probe. After everything else, and after the version for
  /// traffic was copied: that one is not counted.
  void insert_probes(uint64_t function_id);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

/// The region that a count left by the early part belongs to; nullopt: its loop is gone.
[[nodiscard]] std::optional<uint32_t> region_of_iterations(const llvm::Instruction& call,
                                                           const FunctionRegions& regions);

/// Removes the counts left by the early part whose loop is gone, with the code that only they use.
void drop_unused_iteration_calls(llvm::Function& function, const FunctionRegions& regions);

/// Removes all counts left by the early part.
void remove_iteration_calls(llvm::Function& function);

}  // namespace ridge::pass
