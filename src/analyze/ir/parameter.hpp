// One argument of a function, as its source has it. Knows no LLVM.
#pragma once

#include <string>

namespace ridge::analyze {

enum class Passing {
  number,        ///< by itself
  by_reference,  ///< a number, by its address
  array,         ///< the address of numbers
  unsupported
};

struct Parameter {
  std::string name;  ///< of the source; empty: it has none
  Passing passing = Passing::unsupported;
  bool is_real = false;    ///< the number, or an element
  bool is_signed = false;  ///< of an integer
  unsigned bytes = 0;      ///< of the number, or of an element
  std::string reason;      ///< why it is not supported: "is a structure (grid)"

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

}  // namespace ridge::analyze
