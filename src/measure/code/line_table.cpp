#include "measure/code/line_table.hpp"

#include <algorithm>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <unordered_map>
#include <utility>

#include "measure/code/dwarf_file.hpp"
#include "measure/code/names.hpp"

namespace ridge::measure {

using machine_code::AddressRange;

class LineTableReader {
 public:
  explicit LineTableReader(LineTable& table) : table_(table) {}

  void read(Dwarf* dwarf) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die{};
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      if (may_hold_wanted(die)) {
        add_unit(die);
      }
    }
    std::stable_sort(
        table_.rows_.begin(), table_.rows_.end(),
        [](const LineTable::Row& a, const LineTable::Row& b) { return a.address < b.address; });
  }

 private:
  /// Units that do not say where their code is may hold any.
  [[nodiscard]] bool may_hold_wanted(Dwarf_Die& unit) const {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    bool says = false;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &begin, &end)) > 0;) {
      says = true;
      const auto next = std::ranges::upper_bound(table_.wanted_, begin, {}, &AddressRange::end);
      if (next != table_.wanted_.end() && next->begin < end) {
        return true;
      }
    }
    return !says;
  }

  void add_unit(Dwarf_Die& die) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&die, &lines, &count) != 0) {
      return;
    }
    Dwarf_Attribute attribute{};
    const char* folder = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
    folder_ = folder != nullptr ? folder : "";
    for (std::size_t i = 0; i < count; ++i) {
      add_row(dwarf_onesrcline(lines, i));
    }
  }

  void add_row(Dwarf_Line* row) {
    Dwarf_Addr address = 0;
    int line = 0;
    bool ends = false;
    if (row == nullptr || dwarf_lineaddr(row, &address) != 0 || dwarf_lineno(row, &line) != 0 ||
        dwarf_lineendsequence(row, &ends) != 0 || ends ||
        machine_code::find_range(table_.wanted_, address) == nullptr) {
      return;
    }
    const char* name = dwarf_linesrc(row, nullptr, nullptr);
    const bool is_known = name != nullptr && line > 0;
    table_.rows_.push_back(
        {address, is_known ? file_number(name) : 0, is_known ? static_cast<unsigned>(line) : 0});
  }

  /// libdw keeps one text for each file of a unit.
  std::uint32_t file_number(const char* name) {
    const auto [known, is_new] = by_text_.try_emplace(name, 0);
    if (is_new) {
      std::string path = source_path(folder_, name);
      const auto [entry, is_new_path] =
          by_path_.try_emplace(path, static_cast<std::uint32_t>(table_.files_.size()));
      if (is_new_path) {
        table_.files_.push_back(std::move(path));
      }
      known->second = entry->second;
    }
    return known->second;
  }

  LineTable& table_;
  std::string_view folder_;  ///< that the unit was compiled in
  std::unordered_map<const char*, std::uint32_t> by_text_;
  std::unordered_map<std::string, std::uint32_t> by_path_;
};

LineTable LineTable::read(std::span<const std::uint8_t> file, std::vector<AddressRange> wanted) {
  return read(DwarfFile(file).get(), std::move(wanted));
}

LineTable LineTable::read(Dwarf* dwarf, std::vector<AddressRange> wanted) {
  LineTable table;
  table.wanted_ = std::move(wanted);
  if (dwarf != nullptr) {
    LineTableReader(table).read(dwarf);
  }
  return table;
}

std::optional<SourcePosition> LineTable::find(std::uint64_t address) const {
  const AddressRange* range = machine_code::find_range(wanted_, address);
  const auto behind =
      std::upper_bound(rows_.begin(), rows_.end(), address,
                       [](std::uint64_t at, const Row& row) { return at < row.address; });
  if (range == nullptr || behind == rows_.begin()) {
    return std::nullopt;
  }
  const Row& row = *std::prev(behind);
  return row.address >= range->begin && row.line != 0
             ? std::optional(SourcePosition{files_[row.file], row.line})
             : std::nullopt;
}

}  // namespace ridge::measure
