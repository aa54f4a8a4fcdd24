// The late part of the pass for one function.
#pragma once

#include <llvm/IR/PassManager.h>

#include "instrument/llvm_pass/insert/block_probes.hpp"
#include "instrument/llvm_pass/insert/counters.hpp"
#include "instrument/llvm_pass/plan/bodies.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// What all functions of a module share.
struct ModuleContext {
  RuntimeSymbols& runtime;
  RegionTable& regions;
  CounterTable& counters;
  ProbeTable& probes;
  StringTable& strings;
  const VectoriserRemarks& remarks;
  OutlinedBodies& bodies;
  llvm::FunctionAnalysisManager& analyses;
};

/// Not naked, no interface resolver, not another module's copy, no coroutine before its split.
[[nodiscard]] bool can_instrument(const llvm::Function& function);

/// Instruments a function that `can_instrument`; false when it has neither work nor calls.
bool instrument_function(llvm::Function& function, ModuleContext& context);

}  // namespace ridge::pass
