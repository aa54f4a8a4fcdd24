// Line tables of DWARF 4 as bytes. For tests only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure {

/// From `address` on.
struct LineRow {
  std::uint64_t address = 0;
  unsigned file = 1;  ///< of the names, from 1
  unsigned line = 0;
};

namespace line_bytes {

inline void text(FileBytes& bytes, std::string_view what) {
  bytes.insert(bytes.end(), what.begin(), what.end());
  bytes.push_back(0);
}

/// What follows, with its length before it.
inline FileBytes with_length(const FileBytes& rest) {
  FileBytes bytes;
  append(bytes, static_cast<std::uint32_t>(rest.size()));
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

inline void append_rows(FileBytes& program, const std::vector<LineRow>& rows, std::uint64_t end) {
  std::uint64_t address = rows.front().address;
  std::int64_t line = 1;
  program.insert(program.end(), {0, 9, 2});  // DW_LNE_set_address
  append(program, address);
  for (const LineRow& row : rows) {
    program.push_back(4);  // DW_LNS_set_file
    append_uleb(program, row.file);
    program.push_back(3);  // DW_LNS_advance_line
    append_sleb(program, static_cast<std::int64_t>(row.line) - line);
    program.push_back(2);  // DW_LNS_advance_pc
    append_uleb(program, row.address - address);
    program.push_back(1);  // DW_LNS_copy
    address = row.address;
    line = row.line;
  }
  program.push_back(2);
  append_uleb(program, end - address);
  program.insert(program.end(), {0, 1, 1});  // DW_LNE_end_sequence
}

}  // namespace line_bytes

/// Sections of one unit whose code, up to `end`, comes from `files`; rows by address.
inline std::vector<SectionBytes> line_sections(const std::vector<std::string>& files,
                                               const std::vector<LineRow>& rows,
                                               std::uint64_t end) {
  using namespace line_bytes;
  FileBytes header{1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0};
  for (const std::string& file : files) {
    text(header, file);
    header.insert(header.end(), {0, 0, 0});
  }
  header.push_back(0);
  FileBytes table;
  append(table, std::uint16_t{4});
  const FileBytes measured = with_length(header);
  table.insert(table.end(), measured.begin(), measured.end());
  append_rows(table, rows, end);
  // A compile unit without children, whose one attribute is where its table begins.
  FileBytes unit;
  append(unit, std::uint16_t{4});
  append(unit, std::uint32_t{0});
  unit.insert(unit.end(), {8, 1, 0, 0, 0, 0});
  return {{".debug_abbrev", 0, {1, 0x11, 0, 0x10, 0x17, 0, 0, 0}},
          {".debug_info", 0, with_length(unit)},
          {".debug_line", 0, with_length(table)}};
}

}  // namespace ridge::measure
