// The version of a function that runs in traffic mode, with every access traced.
#pragma once

#include "instrument/llvm_pass/plan/regions.hpp"
#include "instrument/llvm_pass/trace/trace.hpp"

namespace ridge::pass {

/// The accesses of `function`; call before anything is inserted.
[[nodiscard]] TraceRegions regions_of_accesses(llvm::Function& function,
                                               const FunctionRegions& regions);

/// A call that carries the source trip count of a loop (own.hpp).
struct TripCount {
  llvm::Instruction* call;
  uint32_t region;
};
/// Those of `function`; the calls must stay until the traffic version is there.
[[nodiscard]] std::vector<TripCount> trip_counts(llvm::Function& function,
                                                 const FunctionRegions& regions);

/// Adds the traffic version of a function whose counters and entry are in place, and the check of
/// the mode that leads to it. In it the trip counts are told to the runtime.
void add_traffic_version(llvm::Function& function, const TraceRegions& accesses,
                         const std::vector<TripCount>& trips, const TraceValues& values,
                         const RuntimeSymbols& runtime, llvm::BasicBlock* uncounted);

}  // namespace ridge::pass
