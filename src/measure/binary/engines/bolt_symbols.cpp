#include "measure/binary/engines/bolt_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "machine_code/byte_reader.hpp"
#include "machine_code/decode.hpp"
#include "machine_code/function.hpp"
#include "machine_code/landing_pads.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Bytes;
using machine_code::Flow;
using machine_code::Instruction;

bool is_padding(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic) ==
         "nop";
}

/// Nothing behind it belongs to its piece.
bool ends_piece(const Instruction& instruction) {
  return instruction.flow != Flow::next;
}

bool comes_back(const Instruction& instruction) {
  return instruction.is_call() || instruction.flow == Flow::system_call;
}

/// BOLT drops padding: a mark on it would be the end of no edge.
std::size_t skip_padding(const std::vector<Instruction>& code, std::size_t at) {
  while (at < code.size() && is_padding(code[at])) {
    ++at;
  }
  return at;
}

/// The instruction behind the one at `begin`, where that is alone in its piece.
void mark_second(const std::vector<Instruction>& code, std::size_t begin,
                 std::vector<std::uint64_t>& marks) {
  const std::size_t first = skip_padding(code, begin);
  if (first >= code.size() || ends_piece(code[first])) {
    return;
  }
  const std::size_t second = skip_padding(code, first + 1);
  if (second < code.size()) {
    marks.push_back(code[second].address);
  }
}

void mark_function(const machine_code::Function& function,
                   std::span<const std::uint64_t> landing_pads, std::vector<std::uint64_t>& marks) {
  const std::vector<Instruction>& code = function.instructions;
  mark_second(code, 0, marks);
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    if (std::binary_search(landing_pads.begin(), landing_pads.end(), code[i].address)) {
      mark_second(code, i, marks);
    }
    const std::size_t behind = comes_back(code[i]) ? skip_padding(code, i + 1) : code.size();
    if (behind < code.size() && code[behind].flow != Flow::undecodable) {
      marks.push_back(code[behind].address);
      mark_second(code, behind, marks);
    }
  }
}

void sort_once(std::vector<std::uint64_t>& addresses) {
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

bool is_marked_section(const machine_code::Section& section) {
  return section.executable && section.loaded && section.name.starts_with(".text");
}

// ---- the copy ----

struct SymbolTable {
  std::size_t section = 0;
  std::vector<Elf64_Sym> symbols;
  std::string text;  ///< names, NUL-terminated

  [[nodiscard]] std::string_view name(const Elf64_Sym& symbol) const {
    const std::size_t end = text.find('\0', symbol.st_name);
    return end == std::string::npos
               ? std::string_view{}
               : std::string_view(text).substr(symbol.st_name, end - symbol.st_name);
  }
  std::uint32_t add_text(std::string_view name) {
    const auto at = static_cast<std::uint32_t>(text.size());
    text.append(name).push_back('\0');
    return at;
  }
};

std::optional<std::vector<Elf64_Shdr>> section_headers(Bytes file) {
  const auto header = machine_code::value_at<Elf64_Ehdr>(file, 0);
  if (!header || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum == 0) {
    return std::nullopt;
  }
  machine_code::ByteReader reader(file, header->e_shoff);
  std::vector<Elf64_Shdr> headers(header->e_shnum);
  for (Elf64_Shdr& section : headers) {
    section = reader.take<Elf64_Shdr>();
  }
  return reader.failed() ? std::nullopt : std::optional(std::move(headers));
}

std::optional<SymbolTable> symbol_table(Bytes file, const std::vector<Elf64_Shdr>& headers) {
  const auto found = std::find_if(headers.begin(), headers.end(), [](const Elf64_Shdr& section) {
    return section.sh_type == SHT_SYMTAB;
  });
  if (found == headers.end() || found->sh_link >= headers.size()) {
    return std::nullopt;
  }
  const Elf64_Shdr& names = headers[found->sh_link];
  const auto bytes = machine_code::part_of(file, found->sh_offset, found->sh_size);
  const auto text = machine_code::part_of(file, names.sh_offset, names.sh_size);
  if (!bytes || !text) {
    return std::nullopt;
  }
  SymbolTable table;
  table.section = static_cast<std::size_t>(found - headers.begin());
  table.symbols.resize(bytes->size() / sizeof(Elf64_Sym));
  if (!table.symbols.empty()) {
    std::memcpy(table.symbols.data(), bytes->data(), table.symbols.size() * sizeof(Elf64_Sym));
  }
  table.text.assign(text->begin(), text->end());
  table.text.push_back('\0');
  return table;
}

bool is_function(const Elf64_Sym& symbol) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
}

/// "foo" of "foo.cold" and "foo.cold.3": BOLT takes them for parts of one function by their names.
std::string_view without_cold(std::string_view name) {
  return name.substr(0, name.find(".cold"));
}

/// Functions of the same name in several source files get the number of the file in front.
void tell_apart(SymbolTable& table) {
  std::map<std::string, std::uint64_t, std::less<>> first;
  std::map<std::string, bool, std::less<>> shared;
  for (const Elf64_Sym& symbol : table.symbols) {
    if (!is_function(symbol)) {
      continue;
    }
    const auto [known, added] = first.emplace(table.name(symbol), symbol.st_value);
    if (!added && known->second != symbol.st_value) {
      shared[std::string(without_cold(known->first))] = true;
    }
  }
  std::size_t file = 0;
  for (Elf64_Sym& symbol : table.symbols) {
    file += ELF64_ST_TYPE(symbol.st_info) == STT_FILE ? 1 : 0;
    if (is_function(symbol) && ELF64_ST_BIND(symbol.st_info) == STB_LOCAL &&
        shared.contains(without_cold(table.name(symbol)))) {
      symbol.st_name = table.add_text(fmt::format("ridge{}.{}", file, table.name(symbol)));
    }
  }
}

/// Assembly often names a function without saying its size. BOLT would take a mark in it for the
/// begin of another function.
void add_sizes(SymbolTable& table, const std::vector<machine_code::FunctionRange>& ranges) {
  for (Elf64_Sym& symbol : table.symbols) {
    const auto* range = machine_code::find_range(ranges, symbol.st_value);
    if (is_function(symbol) && symbol.st_size == 0 && range != nullptr &&
        range->begin == symbol.st_value) {
      symbol.st_size = range->end - range->begin;
    }
  }
}

void add_marks(SymbolTable& table, const std::vector<Elf64_Shdr>& headers,
               std::span<const std::uint64_t> marks) {
  for (const std::uint64_t mark : marks) {
    const auto section = std::find_if(headers.begin(), headers.end(), [&](const Elf64_Shdr& each) {
      return (each.sh_flags & SHF_EXECINSTR) != 0 && mark >= each.sh_addr &&
             mark - each.sh_addr < each.sh_size;
    });
    if (section != headers.end()) {
      Elf64_Sym symbol{};
      symbol.st_name = table.add_text(fmt::format("ridge.{:x}", mark));
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
      symbol.st_other = STV_HIDDEN;
      symbol.st_shndx = static_cast<std::uint16_t>(section - headers.begin());
      symbol.st_value = mark;
      table.symbols.push_back(symbol);
    }
  }
}

/// At the end of the file, from a multiple of 8 on.
std::uint64_t append(std::vector<std::uint8_t>& bytes, const void* data, std::size_t size) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const std::uint64_t at = bytes.size();
  const auto* begin = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
  return at;
}

}  // namespace

std::vector<std::uint64_t> exception_entries(const machine_code::ElfImage& image) {
  std::vector<std::uint64_t> entries;
  const auto ranges = machine_code::function_ranges(image);
  for (const machine_code::FunctionRange& range :
       ranges.value_or(std::vector<machine_code::FunctionRange>{})) {
    const auto pads = machine_code::all_landing_pads(image, range);
    entries.insert(entries.end(), pads.begin(), pads.end());
  }
  sort_once(entries);
  return entries;
}

std::vector<std::uint64_t> bolt_marks(const machine_code::ElfImage& image) {
  std::vector<std::uint64_t> named;
  for (const machine_code::FunctionSymbol& symbol : image.function_symbols()) {
    named.push_back(symbol.address);
  }
  const auto ranges = machine_code::function_ranges(image);
  const std::vector<std::uint64_t> landing_pads = exception_entries(image);
  std::vector<std::uint64_t> marks;
  for (const machine_code::FunctionRange& range :
       ranges.value_or(std::vector<machine_code::FunctionRange>{})) {
    const bool is_in_text = std::any_of(
        image.sections().begin(), image.sections().end(), [&](const machine_code::Section& each) {
          return is_marked_section(each) && range.begin >= each.address &&
                 range.begin - each.address < each.size;
        });
    if (!is_in_text || !std::binary_search(named.begin(), named.end(), range.begin)) {
      continue;
    }
    if (const auto function = machine_code::read_function(image, range)) {
      mark_function(*function, landing_pads, marks);
    }
  }
  sort_once(marks);
  return marks;
}

Result<std::vector<std::uint8_t>> with_bolt_symbols(std::span<const std::uint8_t> file,
                                                    std::span<const std::uint64_t> marks) {
  const auto ranges = machine_code::ElfImage::read(file).and_then(machine_code::function_ranges);
  if (!ranges) {
    return tl::make_unexpected(ranges.error());
  }
  auto headers = section_headers(file);
  auto table = headers ? symbol_table(file, *headers) : std::nullopt;
  if (!table) {
    return fail(ErrorCode::bad_input, "the program has no symbol table",
                "Do not strip it: BOLT finds functions by their symbols.");
  }
  tell_apart(*table);
  add_sizes(*table, *ranges);
  add_marks(*table, *headers, marks);
  std::vector<std::uint8_t> bytes(file.begin(), file.end());
  Elf64_Shdr& symbols = (*headers)[table->section];
  Elf64_Shdr& names = (*headers)[symbols.sh_link];
  symbols.sh_size = table->symbols.size() * sizeof(Elf64_Sym);
  symbols.sh_offset = append(bytes, table->symbols.data(), symbols.sh_size);
  names.sh_size = table->text.size();
  names.sh_offset = append(bytes, table->text.data(), names.sh_size);
  const std::uint64_t at = append(bytes, headers->data(), headers->size() * sizeof(Elf64_Shdr));
  std::memcpy(bytes.data() + offsetof(Elf64_Ehdr, e_shoff), &at, sizeof at);
  return bytes;
}

std::map<std::string, std::uint64_t, std::less<>> bolt_function_names(
    const machine_code::ElfImage& image) {
  std::map<std::string, std::uint64_t, std::less<>> names;
  std::map<std::string, bool, std::less<>> shared;
  for (const machine_code::FunctionSymbol& symbol : image.function_symbols()) {
    const auto [known, added] = names.emplace(symbol.name, symbol.address);
    if (!added && known->second != symbol.address) {
      shared[known->first] = true;
    }
  }
  for (const auto& [name, is_shared] : shared) {
    names.erase(name);
  }
  return names;
}

}  // namespace ridge::measure::binary
