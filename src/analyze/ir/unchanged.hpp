// Numbers in memory that loops are taken not to change.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>

namespace ridge::analyze {

/// Marks loads of integers and pointers whose address does not change in a loop, where no store of
/// the loop goes to the same object, and no call may write: `i < v->count` in a loop that stores
/// through another pointer. Where the compiler must think of both as one, the notes of the nest say
/// that they were not.
void mark_unchanged(llvm::LoopInfo& loops, llvm::AAResults& aliases);

}  // namespace ridge::analyze
