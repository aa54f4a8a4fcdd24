// Where the names of counters stand.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

namespace ridge::analyze {

/// Names the values that each loop begins its iterations with at its head, where debug information
/// names them only behind the question whether there is another iteration (flang): such blocks
/// become empty and go away, with the name.
void name_counters_at_heads(llvm::LoopInfo& loops);

}  // namespace ridge::analyze
