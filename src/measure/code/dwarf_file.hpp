// Debug information of a file in memory, as libdw reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct Dwarf;
struct Elf;

namespace ridge::measure {

/// Refers to the bytes that it was read from, which must outlive it.
class DwarfFile {
 public:
  explicit DwarfFile(std::span<const std::uint8_t> file);
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;
  ~DwarfFile();

  /// nullptr where there is none, and where libdw refuses it.
  [[nodiscard]] Dwarf* get() const { return dwarf_; }

 private:
  std::vector<std::uint8_t> copy_;  ///< that libelf may write to
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

}  // namespace ridge::measure
