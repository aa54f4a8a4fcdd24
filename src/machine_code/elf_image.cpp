#include "machine_code/elf_image.hpp"

#include <algorithm>
#include <elf.h>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "machine_code/byte_reader.hpp"

namespace ridge::machine_code {
namespace {

tl::unexpected<Error> malformed(std::string what) {
  return fail(ErrorCode::bad_input, fmt::format("the ELF file is malformed: {}", what));
}

/// Where every text of a string table ends is looked up once: names may overlap, and there may be
/// millions of them.
class StringTable {
 public:
  explicit StringTable(Bytes bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {
    for (std::size_t at = text_.find('\0'); at != std::string_view::npos;
         at = text_.find('\0', at + 1)) {
      ends_.push_back(at);
    }
  }

  /// Empty where there is no text.
  [[nodiscard]] std::string_view at(std::uint64_t offset) const {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
    return end == ends_.end() ? std::string_view{} : text_.substr(offset, *end - offset);
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> ends_;
};

std::optional<std::string> build_id_of(Bytes notes) {
  constexpr std::string_view kOwner{"GNU\0", 4};
  ByteReader reader(notes);
  while (true) {
    const auto name_size = reader.take<std::uint32_t>();
    const auto size = reader.take<std::uint32_t>();
    const auto type = reader.take<std::uint32_t>();
    const auto name = part_of(notes, reader.at(), name_size);
    reader.skip((std::uint64_t{name_size} + 3) / 4 * 4);
    const auto description = part_of(notes, reader.at(), size);
    if (reader.failed() || !name || !description) {
      return std::nullopt;
    }
    const std::string_view owner(reinterpret_cast<const char*>(name->data()), name->size());
    if (type == NT_GNU_BUILD_ID && owner == kOwner) {
      return fmt::format("{:02x}", fmt::join(*description, ""));
    }
    reader.skip((std::uint64_t{size} + 3) / 4 * 4);
  }
}

std::vector<AddressRange> merged(std::vector<AddressRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
  std::vector<AddressRange> apart;
  for (const AddressRange& range : ranges) {
    if (!apart.empty() && range.begin < apart.back().end) {
      apart.back().end = std::max(apart.back().end, range.end);
    } else if (range.end > range.begin) {
      apart.push_back(range);
    }
  }
  return apart;
}

}  // namespace

/// Fills an image step by step.
class ElfReader {
 public:
  explicit ElfReader(Bytes file) : file_(file) { image_.file_ = file; }

  Result<ElfImage> read() {
    return read_header()
        .and_then([&] { return read_segments(); })
        .and_then([&] { return read_sections(); })
        .map([&] { return std::move(image_); });
  }

 private:
  Result<void> read_header() {
    const auto header = value_at<Elf64_Ehdr>(file_, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
      return fail(ErrorCode::bad_input, "not an ELF file");
    }
    header_ = *header;
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
      return fail(ErrorCode::bad_input,
                  "an ELF file of 32 bit or in big endian, which is not read");
    }
    if (header_.e_machine != EM_X86_64 && header_.e_machine != EM_AARCH64) {
      return fail(
          ErrorCode::bad_input,
          fmt::format("the ELF file is for an architecture that is not known (e_machine {})",
                      header_.e_machine));
    }
    if (header_.e_type != ET_EXEC && header_.e_type != ET_DYN) {
      return fail(ErrorCode::bad_input, "the ELF file is no linked program or library",
                  "Link it: code in object files has no addresses yet.");
    }
    image_.architecture_ =
        header_.e_machine == EM_X86_64 ? Architecture::x86_64 : Architecture::aarch64;
    image_.position_independent_ = header_.e_type == ET_DYN;
    if (header_.e_entry != 0) {
      image_.entry_point_ = header_.e_entry;
    }
    return {};
  }

  Result<void> read_segments() {
    if (header_.e_phnum == 0) {
      return {};
    }
    const auto table =
        part_of(file_, header_.e_phoff, std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr));
    if (!table || header_.e_phentsize != sizeof(Elf64_Phdr)) {
      return malformed("its program headers lie outside of it");
    }
    for (std::size_t i = 0; i < header_.e_phnum; ++i) {
      const auto added = add_segment(*value_at<Elf64_Phdr>(*table, i * sizeof(Elf64_Phdr)));
      if (!added) {
        return added;
      }
    }
    return {};
  }

  Result<void> add_segment(const Elf64_Phdr& header) {
    if (header.p_type == PT_GNU_EH_FRAME && header.p_vaddr + header.p_memsz >= header.p_vaddr) {
      image_.unwind_table_ = AddressRange{header.p_vaddr, header.p_vaddr + header.p_memsz};
    }
    if (header.p_type == PT_NOTE) {
      find_build_id(part_of(file_, header.p_offset, header.p_filesz).value_or(Bytes{}));
    }
    if (header.p_type != PT_LOAD || header.p_memsz == 0) {
      return {};
    }
    const bool wraps = header.p_vaddr + header.p_memsz < header.p_vaddr;
    if (!part_of(file_, header.p_offset, header.p_filesz) || header.p_filesz > header.p_memsz ||
        wraps) {
      return malformed(fmt::format("the segment at {:#x} lies outside of it", header.p_vaddr));
    }
    // What lies in the file twice could be read any number of times.
    loaded_bytes_ += header.p_filesz;
    const bool overlaps =
        loaded_bytes_ > file_.size() ||
        (!image_.segments_.empty() &&
         header.p_vaddr < image_.segments_.back().address + image_.segments_.back().memory_size);
    if (overlaps) {
      return malformed(fmt::format("the segment at {:#x} overlaps the one before", header.p_vaddr));
    }
    image_.segments_.push_back({header.p_vaddr, header.p_memsz, header.p_offset, header.p_filesz,
                                (header.p_flags & PF_X) != 0, (header.p_flags & PF_W) != 0});
    return {};
  }

  Result<void> read_sections() {
    if (header_.e_shoff == 0) {
      return {};
    }
    const auto first = value_at<Elf64_Shdr>(file_, header_.e_shoff);
    // Counts beyond 16 bits stand in the first header.
    const std::uint64_t count = header_.e_shnum != 0 || !first ? header_.e_shnum : first->sh_size;
    const std::uint64_t names =
        header_.e_shstrndx != SHN_XINDEX || !first ? header_.e_shstrndx : first->sh_link;
    const bool fits = count <= file_.size() / sizeof(Elf64_Shdr);
    const auto table =
        fits ? part_of(file_, header_.e_shoff, count * sizeof(Elf64_Shdr)) : std::nullopt;
    if (!table || (count > 0 && header_.e_shentsize != sizeof(Elf64_Shdr))) {
      return malformed("its section headers lie outside of it");
    }
    std::vector<Elf64_Shdr> headers(count);
    if (count > 0) {
      std::memcpy(headers.data(), table->data(), table->size());
    }
    const StringTable texts(names < count ? bytes_of(headers[names]).value_or(Bytes{}) : Bytes{});
    std::uint64_t total = 0;
    for (const Elf64_Shdr& header : headers) {
      const auto bytes = bytes_of(header);
      total += bytes ? bytes->size() : 0;
      if (total > file_.size()) {
        return malformed("its sections overlap");
      }
      if (!bytes || header.sh_addr + header.sh_size < header.sh_addr) {
        return malformed(fmt::format("section {} lies outside of it", image_.sections_.size()));
      }
      image_.sections_.push_back({texts.at(header.sh_name), header.sh_type, header.sh_addr,
                                  header.sh_size, (header.sh_flags & SHF_EXECINSTR) != 0,
                                  (header.sh_flags & SHF_ALLOC) != 0, header.sh_link, *bytes});
      if (header.sh_type == SHT_NOTE) {
        find_build_id(*bytes);
      }
    }
    return {};
  }

  [[nodiscard]] std::optional<Bytes> bytes_of(const Elf64_Shdr& header) const {
    const bool takes_none = header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL;
    return takes_none ? std::optional(Bytes{}) : part_of(file_, header.sh_offset, header.sh_size);
  }

  void find_build_id(Bytes notes) {
    constexpr unsigned kTries = 64;
    constexpr std::size_t kLongest = 65536;
    if (!image_.build_id_ && notes_read_++ < kTries) {
      image_.build_id_ = build_id_of(notes.first(std::min(notes.size(), kLongest)));
    }
  }

  Bytes file_;
  Elf64_Ehdr header_{};
  std::uint64_t loaded_bytes_ = 0;
  unsigned notes_read_ = 0;
  ElfImage image_;
};

Result<ElfImage> ElfImage::read(std::span<const std::uint8_t> file) {
  return ElfReader(file).read();
}

const Section* ElfImage::section(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<AddressRange> ElfImage::executable_ranges() const {
  std::vector<AddressRange> ranges;
  for (const Section& section : sections_) {
    if (section.executable && section.loaded && section.type != SHT_NOBITS) {
      ranges.push_back({section.address, section.address + section.size});
    }
  }
  if (ranges.empty()) {
    for (const Segment& segment : segments_) {
      if (segment.executable) {
        ranges.push_back({segment.address, segment.address + segment.file_size});
      }
    }
  }
  return merged(std::move(ranges));
}

std::vector<FunctionSymbol> ElfImage::function_symbols() const {
  std::vector<FunctionSymbol> symbols;
  for (const std::uint32_t type_wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
    // A file has at most one of each (System V ABI, chapter 4).
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const Section& s) { return s.type == type_wanted; });
    if (found == sections_.end() || found->link >= sections_.size()) {
      continue;
    }
    const Section& section = *found;
    const StringTable names(sections_[section.link].bytes);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.bytes.size();
         at += sizeof(Elf64_Sym)) {
      const auto symbol = *value_at<Elf64_Sym>(section.bytes, at);
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      const bool defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS;
      if (defined && (type == STT_FUNC || type == STT_GNU_IFUNC)) {
        symbols.push_back({names.at(symbol.st_name), symbol.st_value, symbol.st_size,
                           ELF64_ST_BIND(symbol.st_info) != STB_LOCAL});
      }
    }
  }
  const auto key = [](const FunctionSymbol& s) {
    return std::tie(s.address, s.size, s.name, s.global);
  };
  std::sort(symbols.begin(), symbols.end(),
            [&](const FunctionSymbol& a, const FunctionSymbol& b) { return key(a) < key(b); });
  symbols.erase(std::unique(symbols.begin(), symbols.end(),
                            [](const FunctionSymbol& a, const FunctionSymbol& b) {
                              return a.address == b.address && a.name == b.name;
                            }),
                symbols.end());
  return symbols;
}

std::vector<ImportSlot> ElfImage::import_slots() const {
  const bool x86 = architecture_ == Architecture::x86_64;
  const std::uint64_t lazy = x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;
  const std::uint64_t eager = x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT;
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [](const Section& s) { return s.type == SHT_DYNSYM; });
  if (found == sections_.end() || found->link >= sections_.size()) {
    return {};
  }
  const Section& symbols = *found;
  const StringTable names(sections_[symbols.link].bytes);
  std::vector<ImportSlot> slots;
  for (const Section& section : sections_) {
    if (section.type != SHT_RELA ||
        section.link != static_cast<std::size_t>(found - sections_.begin())) {
      continue;
    }
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= section.bytes.size();
         at += sizeof(Elf64_Rela)) {
      const auto relocation = *value_at<Elf64_Rela>(section.bytes, at);
      const std::uint64_t type = ELF64_R_TYPE(relocation.r_info);
      const auto symbol =
          value_at<Elf64_Sym>(symbols.bytes, ELF64_R_SYM(relocation.r_info) * sizeof(Elf64_Sym));
      if ((type == lazy || type == eager) && symbol) {
        slots.push_back({relocation.r_offset, names.at(symbol->st_name)});
      }
    }
  }
  std::sort(slots.begin(), slots.end(),
            [](const ImportSlot& a, const ImportSlot& b) { return a.address < b.address; });
  return slots;
}

std::span<const std::uint8_t> ElfImage::bytes_from(std::uint64_t address) const {
  const auto offset = file_offset(address);
  if (!offset) {
    return {};
  }
  const auto behind =
      std::upper_bound(segments_.begin(), segments_.end(), address,
                       [](std::uint64_t at, const Segment& s) { return at < s.address; });
  const Segment& segment = *std::prev(behind);
  return file_.subspan(*offset, segment.file_size - (address - segment.address));
}

std::optional<std::span<const std::uint8_t>> ElfImage::bytes_at(std::uint64_t address,
                                                                std::uint64_t size) const {
  return part_of(bytes_from(address), 0, size);
}

std::optional<std::uint64_t> ElfImage::file_offset(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(segments_.begin(), segments_.end(), address,
                       [](std::uint64_t at, const Segment& s) { return at < s.address; });
  if (behind == segments_.begin()) {
    return std::nullopt;
  }
  const Segment& segment = *std::prev(behind);
  const std::uint64_t inside = address - segment.address;
  return inside < segment.file_size ? std::optional(segment.file_offset + inside) : std::nullopt;
}

}  // namespace ridge::machine_code
