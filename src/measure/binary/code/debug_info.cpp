#include "measure/binary/code/debug_info.hpp"

#include <algorithm>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <map>
#include <unordered_map>

#include "measure/binary/code/function_names.hpp"
#include "measure/code/names.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::AddressRange;

constexpr unsigned kMostDepth = 200;            ///< of entries within entries
constexpr std::size_t kMostScopes = 100'000;    ///< of one function
constexpr std::size_t kMostRanges = 1'000'000;  ///< of one function

std::vector<AddressRange> ranges_of(Dwarf_Die& die) {
  std::vector<AddressRange> ranges;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
    if (begin < end && ranges.size() < kMostRanges) {
      ranges.push_back({begin, end});
    }
  }
  return ranges;
}

bool overlaps(const std::vector<AddressRange>& wanted, AddressRange range) {
  const auto next = std::ranges::upper_bound(wanted, range.begin, {}, &AddressRange::end);
  return next != wanted.end() && next->begin < range.end;
}

bool overlaps(const std::vector<AddressRange>& wanted, const std::vector<AddressRange>& ranges) {
  return std::ranges::any_of(ranges, [&](AddressRange range) { return overlaps(wanted, range); });
}

std::string text_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute value{};
  const char* text = dwarf_formstring(dwarf_attr_integrate(&die, attribute, &value));
  return text != nullptr ? text : "";
}

std::string linkage_name(Dwarf_Die& die) {
  std::string name = text_of(die, DW_AT_linkage_name);
  return name.empty() ? text_of(die, DW_AT_MIPS_linkage_name) : name;
}

unsigned number_of(Dwarf_Die& die, unsigned attribute) {
  Dwarf_Attribute value{};
  Dwarf_Word number = 0;
  const bool known = dwarf_formudata(dwarf_attr_integrate(&die, attribute, &value), &number) == 0;
  return known && number <= 0x7FFFFFFFU ? static_cast<unsigned>(number) : 0;
}

/// Where the attribute leads: to the function of which `die` is a copy, to its declaration.
Dwarf_Die follow(Dwarf_Die die, unsigned attribute) {
  for (unsigned step = 0; step < 8; ++step) {
    Dwarf_Attribute value{};
    Dwarf_Die next{};
    if (dwarf_formref_die(dwarf_attr(&die, attribute, &value), &next) == nullptr) {
      break;
    }
    die = next;
  }
  return die;
}

bool is_fortran(Dwarf_Die& unit) {
  switch (dwarf_srclang(&unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return true;
    default:
      return false;
  }
}

}  // namespace

class DebugInfoReader {
 public:
  DebugInfoReader(DebugInfo& info, const std::vector<AddressRange>& wanted)
      : info_(info), wanted_(wanted) {}

  void read(Dwarf* dwarf) {
    dwarf_ = dwarf;
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die{};
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      const auto ranges = ranges_of(die);
      if (ranges.empty() || overlaps(wanted_, ranges)) {
        add_unit(unit, die);
      }
    }
    std::ranges::stable_sort(info_.pieces_, {},
                             [](const auto& piece) { return piece.range.begin; });
  }

 private:
  void add_unit(Dwarf_CU* unit, Dwarf_Die& die) {
    Dwarf_Die split{};
    std::uint8_t kind = 0;
    if (dwarf_cu_info(unit, nullptr, &kind, nullptr, &split, nullptr, nullptr, nullptr) != 0) {
      return;
    }
    const bool is_split = kind == DW_UT_skeleton && split.addr != nullptr;
    split_from_ = is_split ? dwarf_dieoffset(&die) + 1 : 0;
    unit_ = is_split ? split : die;
    folder_ = text_of(die, DW_AT_comp_dir);
    fortran_ = is_fortran(unit_);
    places_.clear();
    names_of_.clear();
    found_.clear();
    find_functions(unit_, {}, 0);
    for (auto& [function, ranges] : found_) {  // now that all know their places
      add_function(function, ranges);
    }
  }

  /// `place`: the module of Fortran, namespaces and classes that `parent` is in.
  void find_functions(Dwarf_Die& parent, const std::string& place, unsigned depth) {
    Dwarf_Die die{};
    if (depth > kMostDepth || dwarf_child(&parent, &die) != 0) {
      return;
    }
    do {
      switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
          places_.emplace(number_of_entry(die), place);
          if (const auto ranges = ranges_of(die); overlaps(wanted_, ranges)) {
            found_.emplace_back(die, ranges);
          }
          find_functions(die, place, depth + 1);
          break;
        case DW_TAG_module:
        case DW_TAG_namespace:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
          find_functions(die, within(place, die), depth + 1);
          break;
        case DW_TAG_lexical_block:
          find_functions(die, place, depth + 1);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&die, &die) == 0);
  }

  static std::string within(const std::string& place, Dwarf_Die& die) {
    std::string name = text_of(die, DW_AT_name);
    if (name.empty()) {
      name = dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)" : "(unnamed)";
    }
    return place.empty() ? name : place + "::" + name;
  }

  void add_function(Dwarf_Die& die, const std::vector<AddressRange>& ranges) {
    FunctionScopes function;
    function.ranges = ranges;
    function.linkage_name = linkage_name(die);
    function.fortran = fortran_;
    if (std::string file = file_of(die, DW_AT_decl_file); !file.empty()) {
      function.file = std::move(file);
      const unsigned line = number_of(die, DW_AT_decl_line);
      function.line = line != 0 ? std::optional(line) : std::nullopt;
    }
    Scope scope;
    scope.origin = origin_of(die);
    scope.function = name_of(die);
    function.scopes.push_back(std::move(scope));
    starts_.clear();
    for (const AddressRange& range : ranges) {
      paint(range, 0);
      info_.pieces_.push_back({range, info_.functions_.size()});
    }
    function.outlined = function_part(text_of(die, DW_AT_name)).outlined ||
                        function_part(function.linkage_name).outlined;
    add_inlined(die, function, 0, 0);
    std::ranges::sort(function.declarations);
    function.starts.assign(starts_.begin(), starts_.end());
    info_.functions_.push_back(std::move(function));
  }

  void add_inlined(Dwarf_Die& parent, FunctionScopes& function, std::uint32_t scope,
                   unsigned depth) {
    Dwarf_Die die{};
    if (depth > kMostDepth || dwarf_child(&parent, &die) != 0) {
      return;
    }
    do {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_lexical_block) {
        add_inlined(die, function, scope, depth + 1);
      } else if (tag == DW_TAG_variable && scope == 0 && function.outlined) {
        function.declarations.push_back(number_of(die, DW_AT_decl_line));
      } else if (tag == DW_TAG_inlined_subroutine && function.scopes.size() < kMostScopes) {
        add_inlined(die, function, add_scope(die, function, scope), depth + 1);
      }
    } while (dwarf_siblingof(&die, &die) == 0);
  }

  std::uint32_t add_scope(Dwarf_Die& die, FunctionScopes& function, std::uint32_t parent) {
    const auto own = static_cast<std::uint32_t>(function.scopes.size());
    Scope scope;
    scope.parent = parent;
    scope.depth = function.scopes[parent].depth + 1;
    scope.origin = origin_of(die);
    scope.function = name_of(die);
    scope.call_line = number_of(die, DW_AT_call_line);
    scope.call_column = number_of(die, DW_AT_call_column);
    scope.call_file = file_of(die, DW_AT_call_file);
    function.scopes.push_back(std::move(scope));
    for (const AddressRange& range : ranges_of(die)) {
      paint(range, own);
    }
    return own;
  }

  /// What lies in the range is `scope`'s: scopes come after those that they are in.
  void paint(AddressRange range, std::uint32_t scope) {
    const auto behind = starts_.upper_bound(range.end);
    const std::uint32_t after = behind == starts_.begin() ? 0 : std::prev(behind)->second;
    starts_.erase(starts_.lower_bound(range.begin), starts_.lower_bound(range.end));
    starts_.insert_or_assign(range.begin, scope);
    starts_.try_emplace(range.end, after);
  }

  /// Of the function that `die` is a copy of.
  [[nodiscard]] std::uint64_t origin_of(const Dwarf_Die& die) const {
    return number_of_entry(follow(die, DW_AT_abstract_origin));
  }

  /// Another one for each entry, in all files of the debug information; the same in each run.
  [[nodiscard]] std::uint64_t number_of_entry(Dwarf_Die die) const {
    constexpr std::uint64_t kElsewhere = std::uint64_t{1} << 63U;
    const std::uint64_t offset = dwarf_dieoffset(&die);
    if (split_from_ != 0) {
      return (split_from_ << 32U) ^ offset;
    }
    return dwarf_cu_getdwarf(die.cu) == dwarf_ ? offset : offset | kElsewhere;
  }

  /// Empty: unknown. libdw's own way (dwarf_decl_file) aborts for some split units, and refuses
  /// file 0, which is one like the others from DWARF 5 on.
  std::string file_of(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute value{};
    Dwarf_Word number = 0;
    if (dwarf_formudata(dwarf_attr_integrate(&die, attribute, &value), &number) != 0) {
      return {};
    }
    Dwarf_Die unit{};
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_cu_die(value.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
            nullptr ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count) {
      return {};
    }
    const char* name = dwarf_filesrc(files, number, nullptr, nullptr);
    return name != nullptr ? source_path(folder_, name) : std::string{};
  }

  const std::string& name_of(Dwarf_Die& die) {
    const auto [entry, is_new] = names_of_.try_emplace(origin_of(die));
    if (is_new) {
      entry->second = make_name(die);
    }
    return entry->second;
  }

  std::string make_name(Dwarf_Die& die) {
    const std::string linkage = linkage_name(die);
    std::string name = text_of(die, DW_AT_name);
    if (const auto part = function_part(name); part.outlined) {
      return readable_name(part.function);
    }
    if (linkage.starts_with("_Z")) {
      return readable_name(linkage);
    }
    if (name.empty()) {
      return readable_name(linkage);
    }
    const Dwarf_Die function = follow(die, DW_AT_abstract_origin);
    const auto place = places_.find(number_of_entry(follow(function, DW_AT_specification)));
    return place != places_.end() && !place->second.empty() ? place->second + "::" + name : name;
  }

  DebugInfo& info_;
  const std::vector<AddressRange>& wanted_;
  Dwarf* dwarf_ = nullptr;
  Dwarf_Die unit_{};
  std::uint64_t split_from_ = 0;  ///< which unit it is the rest of, from 1; 0: none
  std::string folder_;            ///< that the unit was compiled in
  bool fortran_ = false;
  std::vector<std::pair<Dwarf_Die, std::vector<AddressRange>>> found_;  ///< functions of the unit
  std::unordered_map<std::uint64_t, std::string> places_;
  std::unordered_map<std::uint64_t, std::string> names_of_;
  std::map<std::uint64_t, std::uint32_t> starts_;  ///< of the function at hand
};

std::uint32_t FunctionScopes::scope_at(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(starts.begin(), starts.end(), address,
                       [](std::uint64_t at, const auto& start) { return at < start.first; });
  return behind == starts.begin() ? 0 : std::prev(behind)->second;
}

DebugInfo DebugInfo::read(Dwarf* dwarf, const std::vector<AddressRange>& wanted) {
  DebugInfo info;
  if (dwarf != nullptr) {
    info.lines_ = LineTable::read(dwarf, wanted);
    DebugInfoReader(info, wanted).read(dwarf);
  }
  return info;
}

const FunctionScopes* DebugInfo::find(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(
      pieces_, address, {}, [](const Piece& piece) { return piece.range.begin; });
  if (behind == pieces_.begin() || !std::prev(behind)->range.contains(address)) {
    return nullptr;
  }
  return &functions_[std::prev(behind)->function];
}

}  // namespace ridge::measure::binary
