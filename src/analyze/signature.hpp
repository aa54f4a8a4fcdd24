// What a function has to be given to be called: its parameters and the variables that it uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/ir/parameter.hpp"
#include "core/result.hpp"

namespace ridge::analyze {

struct UsedVariable {
  std::string symbol;  ///< as the linker knows it
  Parameter variable;  ///< a pointer is an array, too
  bool is_pointer = false;
  std::uint64_t extent = 1;     ///< elements of an array that is no pointer
  bool is_static = false;       ///< the linker does not know it
  bool is_initialised = false;  ///< with something else than zeros

  friend bool operator==(const UsedVariable&, const UsedVariable&) = default;
};

struct Signature {
  std::string function;  ///< of the source
  std::string symbol;
  bool is_static = false;  ///< the linker does not know it
  std::vector<Parameter> parameters;
  std::vector<UsedVariable> variables;  ///< that can change, used here or by what is called
  std::string reason;  ///< why it cannot be called whatever its parameters: "returns a structure"

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// Of the function with this name of the source, or this symbol. `program` and `name` as
/// loop_nests() has them. Errors: `bad_input` where it is not LLVM's, has no such function (the
/// hint names those that it has), or has several (the hint names their symbols).
[[nodiscard]] Result<Signature> signature_of(std::string_view program, const std::string& name,
                                             const std::string& function);

}  // namespace ridge::analyze
