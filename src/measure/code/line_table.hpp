// Which source line each instruction comes from: the line table of DWARF (.debug_line).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine_code/address_range.hpp"

struct Dwarf;

namespace ridge::measure {

/// Lines count from 1. `file` as source_path() writes it.
struct SourcePosition {
  std::string_view file;
  unsigned line = 0;

  friend auto operator<=>(const SourcePosition&, const SourcePosition&) = default;
};

class LineTable {
 public:
  /// Of the code in `wanted` alone (functions, by address, apart from one another): tables of whole
  /// programs are large. Empty for a file without line tables, and for one whose tables libdw
  /// refuses: a line is a help, not a figure.
  [[nodiscard]] static LineTable read(std::span<const std::uint8_t> file,
                                      std::vector<machine_code::AddressRange> wanted);
  /// nullptr: no table.
  [[nodiscard]] static LineTable read(Dwarf* dwarf, std::vector<machine_code::AddressRange> wanted);

  /// Refers to this table. nullopt where the compiler made the instruction for no line.
  [[nodiscard]] std::optional<SourcePosition> find(std::uint64_t address) const;

 private:
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;  ///< index into files_
    unsigned line = 0;       ///< 0: none
  };
  friend class LineTableReader;

  std::vector<machine_code::AddressRange> wanted_;
  std::vector<std::string> files_;
  std::vector<Row> rows_;  ///< by address; of one address the last one holds
};

}  // namespace ridge::measure
