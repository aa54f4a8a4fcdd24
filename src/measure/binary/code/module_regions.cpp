#include "measure/binary/code/module_regions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "measure/binary/code/debug_info.hpp"
#include "measure/binary/code/function_names.hpp"
#include "measure/binary/code/region_table.hpp"
#include "measure/binary/code/source_loops.hpp"
#include "measure/binary/code/waits.hpp"
#include "measure/code/dwarf_file.hpp"
#include "measure/code/names.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::AddressRange;
using machine_code::ElfImage;
using machine_code::Function;
using machine_code::FunctionRange;

/// Code that was executed or sampled, by address, apart from one another.
std::vector<AddressRange> seen_code(const ExecutedModule& executed,
                                    std::span<const std::uint64_t> sampled) {
  std::vector<AddressRange> seen;
  for (const ExecutedInstruction& instruction : executed.instructions) {
    seen.push_back({instruction.address, instruction.end()});
  }
  for (const std::uint64_t address : sampled) {
    seen.push_back({address, address + 1});
  }
  std::ranges::sort(seen, {}, &AddressRange::begin);
  std::vector<AddressRange> apart;
  for (const AddressRange& range : seen) {
    if (!apart.empty() && range.begin <= apart.back().end) {
      apart.back().end = std::max(apart.back().end, range.end);
    } else if (range.begin < range.end) {
      apart.push_back(range);
    }
  }
  return apart;
}

/// What of `seen` lies in none of `ranges`.
std::vector<AddressRange> outside(const std::vector<AddressRange>& seen,
                                  const std::vector<FunctionRange>& ranges) {
  std::vector<AddressRange> rest;
  for (AddressRange range : seen) {
    auto next = std::ranges::upper_bound(ranges, range.begin, {}, &FunctionRange::end);
    for (; next != ranges.end() && next->begin < range.end; ++next) {
      if (range.begin < next->begin) {
        rest.push_back({range.begin, next->begin});
      }
      range.begin = std::min(next->end, range.end);
    }
    if (range.begin < range.end) {
      rest.push_back(range);
    }
  }
  return rest;
}

/// Functions that were seen. Stubs of the procedure linkage table are none.
std::vector<FunctionRange> seen_functions(const ElfImage& image,
                                          const std::vector<AddressRange>& seen) {
  std::vector<AddressRange> stubs;
  for (const machine_code::Section& section : image.sections()) {
    if (section.name.starts_with(".plt") || section.name == ".iplt") {
      stubs.push_back({section.address, section.address + section.size});
    }
  }
  auto ranges = machine_code::function_ranges(image).value_or(std::vector<FunctionRange>{});
  std::erase_if(ranges, [&](const FunctionRange& range) {
    const auto next = std::ranges::upper_bound(seen, range.begin, {}, &AddressRange::end);
    return next == seen.end() || next->begin >= range.end ||
           std::ranges::any_of(
               stubs, [&](const AddressRange& stub) { return stub.contains(range.begin); });
  });
  return ranges;
}

class Builder {
 public:
  Builder(const ModuleFile& file, RegionTable& table)
      : file_(file), table_(table), module_(file_name(file.path)) {}

  /// Returns what of `seen` is in no function.
  std::vector<AddressRange> read(const ElfImage& image, const std::vector<AddressRange>& seen) {
    auto ranges = seen_functions(image, seen);
    name_from_debug_file(ranges);
    std::vector<AddressRange> wanted;
    for (const FunctionRange& range : ranges) {
      wanted.push_back({range.begin, range.end});
      ++named_[range.name];
    }
    const DwarfFile dwarf(file_.debug.empty() ? file_.bytes : file_.debug);
    debug_ = DebugInfo::read(dwarf.get(), wanted);
    for (const FunctionRange& range : ranges) {
      add_function(image, range);
    }
    table_.place_outlined();
    return outside(seen, ranges);
  }

 private:
  /// What stripped files lack.
  void name_from_debug_file(std::vector<FunctionRange>& ranges) {
    const auto image = ElfImage::read(file_.debug);
    if (!image) {
      return;
    }
    const auto symbols = image->function_symbols();
    for (FunctionRange& range : ranges) {
      const auto symbol = std::ranges::lower_bound(symbols, range.begin, {},
                                                   &machine_code::FunctionSymbol::address);
      if (range.name.empty() && symbol != symbols.end() && symbol->address == range.begin) {
        range.name = symbol->name;
      }
    }
  }

  void add_function(const ElfImage& image, const FunctionRange& range) {
    auto function = machine_code::read_function(image, range);
    const AddressRange code{range.begin, range.end};
    auto wait = runtime_wait(function_part(range.name).function, file_.path);
    if (!wait && range.name.empty() && function) {
      wait = nameless_wait(*function, file_.path);
    }
    if (wait) {
      const std::uint32_t region = table_.wait(*wait);
      table_.at(region).entries.push_back(range.begin);
      table_.own(code, region);
      table_.keep(std::move(function));
      return;
    }
    const FunctionScopes* scopes = debug_.find(range.begin);
    const std::uint32_t region = function_region(range, scopes);
    if (!function || function->loops.empty()) {
      table_.own(code, region);
      table_.keep(std::move(function));
      return;
    }
    add_loops(*function, scopes, region);
    table_.keep(std::move(function));
  }

  /// One for all parts that the compiler made of a function.
  std::uint32_t function_region(const FunctionRange& range, const FunctionScopes* scopes) {
    const FunctionPart part = function_part(range.name);
    const std::uint32_t region = table_.function(key_of(range, part, scopes));
    ModuleRegion& described = table_.at(region);
    if (described.name.empty()) {
      describe(described, range, part, scopes);
    }
    if (part.outlined) {
      table_.set_outlined(region, std::string(part.function));
    } else if (!range.name.empty()) {
      table_.set_symbol(region, std::string(part.function));
    }
    if (part.entered) {
      described.entries.push_back(range.begin);
    }
    return region;
  }

  std::string key_of(const FunctionRange& range, const FunctionPart& part,
                     const FunctionScopes* scopes) {
    if (part.outlined) {
      return fmt::format("outlined {}", range.name.substr(0, range.name.find(".cold")));
    }
    if (scopes != nullptr) {
      return fmt::format("function {} {:x}", scopes->scopes.front().function,
                         scopes->scopes.front().origin);
    }
    if (range.name.empty() || named_[range.name] > 1) {
      return fmt::format("code {:x}", range.begin);
    }
    return fmt::format("function {}", part.function);
  }

  void describe(ModuleRegion& region, const FunctionRange& range, const FunctionPart& part,
                const FunctionScopes* scopes) {
    region.name = name_of(range, part, scopes);
    region.function = region.name;
    if (scopes != nullptr && scopes->file) {
      region.file = scopes->file;
      region.line = scopes->line;
    } else if (const auto position = debug_.lines().find(range.begin)) {
      region.file = std::string(position->file);
      region.line = position->line;
    }
  }

  std::string name_of(const FunctionRange& range, const FunctionPart& part,
                      const FunctionScopes* scopes) const {
    if (part.function.starts_with("_Z")) {
      return readable_name(part.function);  // line tables alone do not say in which namespace it is
    }
    if (scopes != nullptr && !part.outlined && !scopes->scopes.front().function.empty()) {
      return scopes->scopes.front().function;
    }
    if (range.name.empty()) {
      return fmt::format("{}+{:#x}", module_, range.begin);
    }
    std::string name = readable_name(part.function);
    if (part.outlined && scopes != nullptr && scopes->fortran && name.ends_with('_')) {
      name.pop_back();
    }
    return name;
  }

  void add_loops(const Function& function, const FunctionScopes* scopes, std::uint32_t region) {
    auto sources = source_loops(function, scopes, debug_.lines());
    std::vector<std::uint32_t> of_loop(function.loops.size());
    for (std::size_t from = 0; from < function.loops.size();) {
      std::size_t to = from;
      while (to < function.loops.size() && function.loops[to].depth == function.loops[from].depth) {
        ++to;
      }
      join_level(function, scopes, sources, from, to);
      for (std::size_t i = from; i < to; ++i) {
        of_loop[i] =
            add_loop(function, scopes, sources, static_cast<std::uint32_t>(i), of_loop, region);
      }
      from = to;
    }
    const auto owners = loops_of_blocks(function, scopes, debug_.lines(), sources);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const machine_code::Block& block = function.blocks[i];
      const auto& last = function.instructions[block.first + block.count - 1];
      table_.own({function.begin_of(block), last.next()}, owners[i] ? of_loop[*owners[i]] : region);
    }
  }

  /// Loops `from` to `to` have one depth.
  void join_level(const Function& function, const FunctionScopes* scopes,
                  std::vector<SourceLoop>& sources, std::size_t from, std::size_t to) {
    std::map<std::pair<std::optional<std::uint32_t>, std::string>, std::vector<SourceLoop*>> groups;
    for (std::size_t i = from; i < to; ++i) {
      groups[{function.loops[i].parent, context(scopes, sources[i].scope)}].push_back(&sources[i]);
    }
    for (auto& [key, siblings] : groups) {
      join_versions(siblings);
    }
  }

  /// By which calls the scope came into its function.
  static std::string context(const FunctionScopes* scopes, std::uint32_t scope) {
    std::string text;
    while (scopes != nullptr && scope != 0) {
      const Scope& here = scopes->scopes[scope];
      text += fmt::format("{}@{}:{}:{} ", here.function, here.call_file, here.call_line,
                          here.call_column);
      scope = here.parent;
    }
    return text;
  }

  std::uint32_t add_loop(const Function& function, const FunctionScopes* scopes,
                         const std::vector<SourceLoop>& sources, std::uint32_t index,
                         const std::vector<std::uint32_t>& of_loop, std::uint32_t region) {
    const SourceLoop& source = sources[index];
    const auto outer = function.loops[index].parent;
    const std::uint32_t parent = outer ? of_loop[*outer] : region;
    const std::uint64_t header = function.begin_of(function.blocks[function.loops[index].header]);
    const std::string place =
        source.line != 0
            ? fmt::format("{}loop {}:{}", context(scopes, source.scope), source.file, source.line)
            : fmt::format("loop {:x}", header);
    const std::uint32_t loop = table_.loop(region, parent, place);
    ModuleRegion& described = table_.at(loop);
    described.loops.push_back({table_.functions(), index});
    if (!described.name.empty()) {
      return loop;
    }
    const ModuleRegion& whole = table_.at(region);
    described.function = whole.function;
    if (scopes != nullptr && source.scope != 0 && !scopes->scopes[source.scope].function.empty()) {
      described.function = scopes->scopes[source.scope].function;
    }
    if (source.line != 0) {
      described.file = std::string(source.file);
      described.line = source.line;
      described.name = described.function;  // whoever prints it adds file and line
    } else if (function.name.empty() && scopes == nullptr) {
      described.name = fmt::format("{}+{:#x}", module_, header);
    } else {
      described.name = fmt::format("{}+{:#x}", whole.function, header - function.range.begin);
    }
    return loop;
  }

  const ModuleFile& file_;
  RegionTable& table_;
  std::string_view module_;
  DebugInfo debug_;
  std::unordered_map<std::string_view, unsigned> named_;  ///< functions by linkage name
};

void add_other_code(RegionTable& table, const std::vector<AddressRange>& code,
                    const std::string& name) {
  if (code.empty()) {
    return;
  }
  const std::uint32_t region = table.other(name);
  for (const AddressRange& range : code) {
    table.own(range, region);
  }
}

}  // namespace

std::optional<std::uint32_t> ModuleRegions::find(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(
      owners, address, {}, [](const Owner& owner) { return owner.range.begin; });
  return behind != owners.begin() && std::prev(behind)->range.contains(address)
             ? std::optional(std::prev(behind)->region)
             : std::nullopt;
}

ModuleRegions module_regions(const ModuleFile& file, const ExecutedModule& executed,
                             std::span<const std::uint64_t> sampled) {
  return module_regions(file, seen_code(executed, sampled));
}

ModuleRegions module_regions(const ModuleFile& file, const std::vector<AddressRange>& seen) {
  RegionTable table;
  if (file.path.empty()) {
    add_other_code(table, seen, "code made at run time");
    return std::move(table).finish();
  }
  const std::string_view module = file_name(file.path);
  const auto image = ElfImage::read(file.bytes);
  if (!image) {
    add_other_code(table, seen, fmt::format("in {}", module));
    return std::move(table).finish();
  }
  const auto rest = Builder(file, table).read(*image, seen);
  add_other_code(table, rest, fmt::format("in {}: other code", module));
  return std::move(table).finish();
}

}  // namespace ridge::measure::binary
