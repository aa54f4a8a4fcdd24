// The version of a function that runs in traffic mode, with every access traced.
#pragma once

#include "regions.hpp"
#include "trace.hpp"

namespace ridge::pass {

/// The accesses of `function`; call before anything is inserted.
[[nodiscard]] TraceRegions regions_of_accesses(llvm::Function& function,
                                               const FunctionRegions& regions);

/// Adds the traffic version of a function whose counters and entry are in place, and the check of
/// the mode that leads to it.
void add_traffic_version(llvm::Function& function, const TraceRegions& accesses,
                         const TraceValues& values, const RuntimeSymbols& runtime);

}  // namespace ridge::pass
