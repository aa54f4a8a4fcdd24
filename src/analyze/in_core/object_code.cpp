#include "analyze/in_core/object_code.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugLine.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include "machine_code/elf_image.hpp"
#include "machine_code/function_ranges.hpp"

namespace ridge::analyze {
namespace {

namespace object = llvm::object;

/// The lines of one compiled file.
struct Lines {
  const llvm::DWARFDebugLine::LineTable* table = nullptr;
  llvm::StringRef folder;
};

constexpr std::uint64_t kAnySection = object::SectionedAddress::UndefSection;

std::span<const std::uint8_t> bytes_of(llvm::StringRef text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class T>
T value_or(llvm::Expected<T> wanted, T otherwise) {
  if (wanted) {
    return *wanted;
  }
  llvm::consumeError(wanted.takeError());
  return otherwise;
}

template <class T>
bool holds(llvm::Expected<T> wanted) {
  const bool does = static_cast<bool>(wanted);
  llvm::consumeError(wanted.takeError());
  return does;
}

/// LLVM ends the process where relocations or their symbols lie outside of the file.
bool is_sound(const object::ELF64LEObjectFile& file) {
  using namespace llvm::ELF;
  const auto& elf = file.getELFFile();
  auto sections = elf.sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  for (const auto& section : *sections) {
    const bool has_symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
    if (section.sh_type == SHT_REL || (has_symbols && !holds(elf.symbols(&section)))) {
      return false;  // x86-64 has no relocations of the one kind
    }
    if (section.sh_type != SHT_RELA || !file.isRelocatableObject()) {
      continue;
    }
    auto symbols = elf.getSection(section.sh_link);
    auto relocations = elf.relas(section);
    const bool is_readable = static_cast<bool>(symbols) && static_cast<bool>(relocations);
    bool is_whole = is_readable;
    for (std::size_t i = 0; is_readable && is_whole && i < relocations->size(); ++i) {
      is_whole = holds(elf.getRelocationSymbol((*relocations)[i], *symbols));
    }
    llvm::consumeError(symbols.takeError());
    llvm::consumeError(relocations.takeError());
    if (!is_whole) {
      return false;
    }
  }
  return true;
}

/// Of a section that holds code; nullopt of others, and where the file belies itself.
std::optional<std::span<const std::uint8_t>> code_of(const object::SectionRef& section) {
  if (!section.isText() || section.isVirtual()) {
    return std::nullopt;
  }
  const auto bytes = bytes_of(value_or(section.getContents(), llvm::StringRef()));
  return bytes.empty() ? std::nullopt : std::optional(bytes);
}

/// The functions of one section of an object file; the section itself where it has none.
std::vector<ObjectFunction> functions_of(const object::ELFObjectFileBase& file,
                                         const object::SectionRef& section,
                                         std::span<const std::uint8_t> code) {
  std::vector<ObjectFunction> found;
  for (const object::ELFSymbolRef symbol : file.symbols()) {
    const auto of = value_or<object::section_iterator>(symbol.getSection(), file.section_end());
    const std::uint64_t begin = value_or<std::uint64_t>(symbol.getValue(), code.size());
    if (symbol.getELFType() != llvm::ELF::STT_FUNC || of == file.section_end() || *of != section ||
        begin >= code.size()) {
      continue;
    }
    const std::uint64_t size = std::min<std::uint64_t>(symbol.getSize(), code.size() - begin);
    found.push_back({value_or(symbol.getName(), llvm::StringRef()).str(),
                     {},
                     begin,
                     section.getIndex(),
                     code.subspan(begin, size)});
  }
  std::ranges::stable_sort(found, {}, &ObjectFunction::address);
  // Assembly need not say how long a function is: then it reaches to the next one.
  for (ObjectFunction& each : found) {
    if (each.code.empty()) {
      const auto next = std::ranges::upper_bound(found, each.address, {}, &ObjectFunction::address);
      const std::uint64_t end = next == found.end() ? code.size() : next->address;
      each.code = code.subspan(each.address, end - each.address);
    }
  }
  const auto same = std::ranges::unique(found, {}, &ObjectFunction::address);
  found.erase(same.begin(), same.end());
  if (found.empty()) {
    found.push_back({{}, {}, 0, section.getIndex(), code});
  }
  return found;
}

}  // namespace

struct ObjectCode::Parts {
  std::unique_ptr<object::ObjectFile> file;
  std::optional<machine_code::ElfImage> image;  ///< of a linked file
  std::vector<machine_code::FunctionRange> ranges;
  std::unique_ptr<llvm::DWARFContext> lines;
  std::vector<Lines> lines_of_units;
  std::vector<ObjectFunction> functions;

  void add_functions() {
    const auto& elf = llvm::cast<object::ELFObjectFileBase>(*file);
    for (const object::SectionRef& section : elf.sections()) {
      if (const auto code = code_of(section)) {
        const auto of_it = functions_of(elf, section, *code);
        functions.insert(functions.end(), of_it.begin(), of_it.end());
      }
    }
  }

  void add_functions_of_image() {
    for (const machine_code::FunctionRange& range : ranges) {
      const auto code = image->bytes_at(range.begin, range.end - range.begin);
      if (code && !code->empty()) {
        functions.push_back({std::string(range.name), {}, range.begin, kAnySection, *code});
      }
    }
  }

  /// What LLVM looks up for an address by itself reads broken trees of entries out of bounds. So
  /// tables of lines are asked one by one, and entries of functions are walked.
  void add_lines() {
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : lines->compile_units()) {
      const auto* const table = lines->getLineTableForUnit(unit.get());
      if (table != nullptr) {
        const char* const folder = unit->getCompilationDir();
        lines_of_units.push_back({table, folder == nullptr ? "" : folder});
      }
    }
  }

  /// Functions of the source by their first address.
  void add_names() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> names;
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : lines->compile_units()) {
      unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false);
      for (unsigned i = 0; i < unit->getNumDIEs(); ++i) {
        const llvm::DWARFDie entry = unit->getDIEAtIndex(i);
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::uint64_t section = 0;
        if (entry.getTag() != llvm::dwarf::DW_TAG_subprogram ||
            !entry.getLowAndHighPC(low, high, section)) {
          continue;
        }
        const char* const name = entry.getShortName();
        if (name != nullptr) {
          names[{image ? kAnySection : section, low}] = name;
        }
      }
    }
    for (ObjectFunction& each : functions) {
      const auto found = names.find({image ? kAnySection : each.section, each.address});
      each.name = found != names.end() ? found->second : each.symbol;
    }
  }
};

ObjectCode::ObjectCode(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ObjectCode::ObjectCode(ObjectCode&&) noexcept = default;
ObjectCode& ObjectCode::operator=(ObjectCode&&) noexcept = default;
ObjectCode::~ObjectCode() = default;

Result<ObjectCode> ObjectCode::read(std::string_view object, const std::string& name) {
  auto parts = std::make_unique<Parts>();
  auto file = object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), name));
  if (!file) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is no ELF file: {}", name, llvm::toString(file.takeError())));
  }
  parts->file = std::move(*file);
  if (parts->file->getArch() != llvm::Triple::x86_64) {
    return fail(ErrorCode::bad_input, fmt::format("{} holds no code of x86-64", name),
                "compile it for x86-64: other processors cannot be modelled yet");
  }
  const auto* const elf = llvm::dyn_cast<object::ELF64LEObjectFile>(parts->file.get());
  if (elf == nullptr || !is_sound(*elf)) {
    return fail(ErrorCode::bad_input, fmt::format("{} is damaged", name), "compile it again");
  }
  if (parts->file->isRelocatableObject()) {
    parts->add_functions();
  } else {
    auto image = machine_code::ElfImage::read(bytes_of({object.data(), object.size()}));
    if (!image) {
      return tl::make_unexpected(image.error());
    }
    parts->image = std::move(*image);
    auto ranges = machine_code::function_ranges(*parts->image);
    if (!ranges) {
      return tl::make_unexpected(ranges.error());
    }
    parts->ranges = std::move(*ranges);
    parts->add_functions_of_image();
  }
  // What debug information is broken is unknown, and no reason to complain on stderr.
  const auto forget = [](llvm::Error problem) { llvm::consumeError(std::move(problem)); };
  parts->lines =
      llvm::DWARFContext::create(*parts->file, llvm::DWARFContext::ProcessDebugRelocations::Process,
                                 nullptr, "", forget, forget);
  parts->add_lines();
  parts->add_names();
  return ObjectCode(std::move(parts));
}

const std::vector<ObjectFunction>& ObjectCode::functions() const {
  return parts_->functions;
}

Result<machine_code::Function> ObjectCode::take_apart(const ObjectFunction& function) const {
  auto taken = [&] {
    if (parts_->image) {
      const auto* range = machine_code::find_range(parts_->ranges, function.address);
      return machine_code::read_function(*parts_->image, *range);
    }
    return machine_code::read_function(machine_code::Architecture::x86_64, function.code,
                                       function.address);
  }();
  return taken;
}

SourcePlace ObjectCode::place_of(const ObjectFunction& function, std::uint64_t address) const {
  for (const Lines& lines : parts_->lines_of_units) {
    const std::uint32_t row = lines.table->lookupAddress({address, function.section});
    if (row >= lines.table->Rows.size()) {
      continue;
    }
    SourcePlace place{{}, lines.table->Rows[row].Line};
    const bool is_named = lines.table->getFileNameByIndex(
        lines.table->Rows[row].File, lines.folder,
        llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, place.file);
    return is_named ? place : SourcePlace();
  }
  return {};
}

}  // namespace ridge::analyze
