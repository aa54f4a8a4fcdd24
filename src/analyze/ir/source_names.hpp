// What values are called in the source, from debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Value.h>

namespace ridge::analyze {

/// The variable that has this value, or the member of one: "n", "grid.nx"; empty: none is known.
[[nodiscard]] std::string variable_of(llvm::Value& value);

/// The same, if it is a variable of the function itself, not of one that was inlined.
[[nodiscard]] std::string own_variable_of(llvm::Value& value);

/// What a pointer points into.
struct SourceArray {
  std::string name;
  const llvm::DIType* type = nullptr;  ///< of an element, or of the object; nullptr: unknown
  bool is_array = true;                ///< false: one object
};

/// The array behind a pointer: a variable, a global, or the member of an object that it was loaded
/// from. Members whose names belong to libraries ("_M_start") are left out: the elements of a
/// vector y are "y". The name is empty where nothing is known.
[[nodiscard]] SourceArray array_of(llvm::Value& base, const llvm::DataLayout& layout);

/// The array of Fortran whose descriptor lies here; without a name: none does.
[[nodiscard]] SourceArray described_array(llvm::Value& descriptor);

/// "x.begin()", "x.end()" where the value is a pointer that was loaded from a container of the
/// standard library; empty otherwise.
[[nodiscard]] std::string bound_name(llvm::Value& value, const llvm::DataLayout& layout);

/// "x.size()" where the value is the distance of two pointers of the object x over the size of an
/// element; empty otherwise.
[[nodiscard]] std::string size_name(llvm::Value& value, const llvm::DataLayout& layout);

/// A value of the head of a loop that has the name of a variable, as that variable is when an
/// iteration begins: `value` + `plus`.
struct NamedValue {
  llvm::Value* value = nullptr;
  std::string name;
  std::int64_t plus = 0;
  int rank = 0;  ///< greater: a name that people know better
};

/// In the order of the source, integers only.
[[nodiscard]] std::vector<NamedValue> named_in_header(const llvm::Loop& loop);

}  // namespace ridge::analyze
