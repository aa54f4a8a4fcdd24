// Traffic mode: every access of a function goes to the thread's trace buffer.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "instrument/llvm_pass/cost/generic/memory_access.hpp"
#include "instrument/llvm_pass/insert/entry.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// Values of a function that tracing needs; of a clone: already mapped.
struct TraceValues {
  llvm::Value* thread;
  llvm::Value* region_base;
};

struct TracedInstruction {
  llvm::Instruction* instruction;
  uint32_t region;
};

/// The instructions of the program that may access memory, block by block in order; calls too,
/// since other code may write to the buffer there.
using TraceRegions = std::vector<std::vector<TracedInstruction>>;

/// Writes the accesses into the trace buffer.
void trace_inline(const TraceRegions& blocks, const TraceValues& values,
                  const RuntimeSymbols& runtime);

/// For a function that cannot be cloned: asks at each access whether the thread is being traced.
void trace_checked(const TraceRegions& blocks, const TraceValues& values,
                   const RuntimeSymbols& runtime);

}  // namespace ridge::pass
