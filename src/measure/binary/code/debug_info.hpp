// What a compiler left about functions: their names, where they are declared, and which others were
// inlined into them (DWARF, .debug_info).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine_code/address_range.hpp"
#include "measure/code/line_table.hpp"

struct Dwarf;

namespace ridge::measure::binary {

/// A function, or one that was inlined into it, called from one place.
struct Scope {
  std::uint32_t parent =
      0;  ///< index of the scope that it was inlined into, smaller; own of the 0th
  std::uint32_t depth = 0;   ///< 0: the function itself
  std::uint64_t origin = 0;  ///< the same for all copies of one function
  std::string function;      ///< demangled, qualified; empty: unknown
  std::string call_file;     ///< where it is called; empty: unknown
  unsigned call_line = 0;    ///< 0: unknown
  unsigned call_column = 0;
};

/// Code of one function and what was inlined into it.
struct FunctionScopes {
  std::vector<machine_code::AddressRange> ranges;  ///< in no order
  std::string linkage_name;                        ///< empty: unknown
  std::optional<std::string> file;
  std::optional<unsigned> line;
  bool fortran = false;
  bool outlined = false;               ///< the body of an OpenMP construct
  std::vector<unsigned> declarations;  ///< lines of variables, ascending; of outlined bodies alone
  std::vector<Scope> scopes;           ///< never empty; the first is the function
  /// By address: from there on the innermost scope is this one.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> starts;

  [[nodiscard]] std::uint32_t scope_at(std::uint64_t address) const;
};

class DebugInfo {
 public:
  /// Of the code in `wanted` alone (by address, apart from one another). Empty where there is no
  /// debug information, or none that libdw takes. nullptr: none.
  [[nodiscard]] static DebugInfo read(Dwarf* dwarf,
                                      const std::vector<machine_code::AddressRange>& wanted);

  /// nullptr where the address is in no function that is described.
  [[nodiscard]] const FunctionScopes* find(std::uint64_t address) const;
  [[nodiscard]] const LineTable& lines() const { return lines_; }

 private:
  friend class DebugInfoReader;

  struct Piece {
    machine_code::AddressRange range;
    std::size_t function = 0;
  };
  std::vector<FunctionScopes> functions_;
  std::vector<Piece> pieces_;  ///< by address
  LineTable lines_;
};

}  // namespace ridge::measure::binary
