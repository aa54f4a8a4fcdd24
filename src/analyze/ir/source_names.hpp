// What values are called in the source, from debug information.
#pragma once

#include <string>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

namespace ridge::analyze {

/// The variable that has this value, or the member of one: "n", "grid.nx"; empty: none is known.
[[nodiscard]] std::string variable_of(llvm::Value& value);

/// The array behind a pointer: a variable, a global, or the member of an object that it was loaded
/// from. Members whose names belong to libraries ("_M_start") are left out: the elements of a
/// vector y are "y". "%7" where nothing is known.
[[nodiscard]] std::string array_name(llvm::Value& base, const llvm::DataLayout& layout);

/// "x.size()" where the value is the distance of two pointers of the object x over the size of an
/// element; empty otherwise.
[[nodiscard]] std::string size_name(llvm::Value& value, const llvm::DataLayout& layout);

/// The counter of a loop: the variable of its first integer phi that has one; empty: none has.
[[nodiscard]] std::string counter_name(const llvm::Loop& loop);

}  // namespace ridge::analyze
