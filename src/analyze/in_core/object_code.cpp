#include "analyze/in_core/object_code.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include "machine_code/elf_image.hpp"
#include "machine_code/function_ranges.hpp"

namespace ridge::analyze {
namespace {

namespace object = llvm::object;

llvm::DILineInfoSpecifier how_named() {
  return {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
          llvm::DINameKind::ShortName};
}

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
        functions.push_back({std::string(range.name),
                             {},
                             range.begin,
                             object::SectionedAddress::UndefSection,
                             *code});
      }
    }
  }

  /// The function of the source that a symbol stands for: the outermost one at its first address.
  void add_names() {
    for (ObjectFunction& each : functions) {
      const llvm::DIInliningInfo at =
          lines->getInliningInfoForAddress({each.address, each.section}, how_named());
      const std::uint32_t frames = at.getNumberOfFrames();
      const bool is_known =
          frames != 0 && at.getFrame(frames - 1).FunctionName != llvm::DILineInfo::BadString;
      each.name = is_known ? at.getFrame(frames - 1).FunctionName : each.symbol;
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
  const llvm::DILineInfo at =
      parts_->lines->getLineInfoForAddress({address, function.section}, how_named());
  if (at.FileName == llvm::DILineInfo::BadString) {
    return {};
  }
  return {at.FileName, at.Line};
}

}  // namespace ridge::analyze
