// Linked programs as bytes, as small as ElfImage takes them, and what the compiler plugin leaves in
// them. For tests only.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/descriptor.h"

namespace ridge::measure {

using FileBytes = std::vector<std::uint8_t>;

template <class T>
void append(FileBytes& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

inline void append_uleb(FileBytes& bytes, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

inline void append_sleb(FileBytes& bytes, std::int64_t value) {
  for (; value < -64 || value > 63; value >>= 7) {
    bytes.push_back(static_cast<std::uint8_t>((static_cast<unsigned>(value) & 0x7FU) | 0x80U));
  }
  bytes.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(value) & 0x7FU));
}

/// The section .pseudo_probe, in the form of LLVM's MCPseudoProbe.
class ProbeBytes {
 public:
  void function(std::uint64_t id, std::uint64_t probes, std::uint64_t inlined = 0) {
    append(bytes, id);
    append_uleb(bytes, probes);
    append_uleb(bytes, inlined);
  }
  /// Before the function's record.
  void inlined_at(std::uint64_t probe) { append_uleb(bytes, probe); }
  /// The function's first instruction: its record has no address, but a hash of the name.
  void sentinel() {
    append_uleb(bytes, 0);
    bytes.push_back(0x20);
    append(bytes, std::uint64_t{0x1234567890ABCDEF});
  }
  void at_address(std::uint64_t number, std::uint64_t address) {
    append_uleb(bytes, number);
    bytes.push_back(0);
    append(bytes, address);
  }
  void after(std::uint64_t number, std::int64_t distance) {
    append_uleb(bytes, number);
    bytes.push_back(0x80);
    append_sleb(bytes, distance);
  }
  void after_with_discriminator(std::uint64_t number, std::int64_t distance,
                                std::uint64_t discriminator) {
    append_uleb(bytes, number);
    bytes.push_back(0xC0);
    append_sleb(bytes, distance);
    append_uleb(bytes, discriminator);
  }

  FileBytes bytes;
};

/// The section of RIDGE_PROBED_CODE_SECTION: ids and addresses of first instructions.
inline FileBytes probed_code(std::uint64_t section,
                             const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places) {
  FileBytes bytes;
  for (const auto& [id, address] : places) {
    const std::uint64_t at = section + bytes.size();
    append(bytes, ridge_probed_code{id, static_cast<std::int64_t>(address - at)});
  }
  return bytes;
}

struct SectionBytes {
  std::string name;
  std::uint64_t address = 0;  ///< 0: not loaded
  FileBytes bytes;
  bool executable = false;
  std::uint32_t type = SHT_PROGBITS;
};

/// GNU's note of the build ID.
inline SectionBytes build_id_section(std::string_view id) {
  SectionBytes section{".note.gnu.build-id", 0, {}, false, SHT_NOTE};
  append(section.bytes, Elf64_Nhdr{4, static_cast<std::uint32_t>(id.size()), NT_GNU_BUILD_ID});
  append(section.bytes, std::array<char, 4>{'G', 'N', 'U', '\0'});
  section.bytes.insert(section.bytes.end(), id.begin(), id.end());
  return section;
}

/// A program for x86-64 that begins with its first executable section. Sections with an address
/// must come in their order.
inline FileBytes elf_file(std::vector<SectionBytes> sections) {
  FileBytes names{'\0'};
  FileBytes contents;
  std::vector<Elf64_Shdr> headers(1);
  std::vector<Elf64_Phdr> segments;
  Elf64_Ehdr file{};
  sections.push_back({".shstrtab", 0, {}, false, SHT_STRTAB});
  for (SectionBytes& section : sections) {
    const auto name = static_cast<std::uint32_t>(names.size());
    names.insert(names.end(), section.name.begin(), section.name.end());
    names.push_back('\0');
    if (section.type == SHT_STRTAB) {
      section.bytes = names;
    }
    const std::uint64_t flags =
        (section.address != 0 ? SHF_ALLOC : 0) | (section.executable ? SHF_EXECINSTR : 0);
    headers.push_back({name, section.type, flags, section.address, sizeof file + contents.size(),
                       section.bytes.size(), 0, 0, 1, 0});
    if (section.address != 0) {
      segments.push_back({PT_LOAD, section.executable ? std::uint32_t{PF_R | PF_X} : PF_R,
                          sizeof file + contents.size(), section.address, section.address,
                          section.bytes.size(), section.bytes.size(), 1});
    }
    if (section.executable && file.e_entry == 0) {
      file.e_entry = section.address;
    }
    contents.insert(contents.end(), section.bytes.begin(), section.bytes.end());
  }
  std::memcpy(file.e_ident, ELFMAG, SELFMAG);
  file.e_ident[EI_CLASS] = ELFCLASS64;
  file.e_ident[EI_DATA] = ELFDATA2LSB;
  file.e_ident[EI_VERSION] = EV_CURRENT;
  file.e_version = EV_CURRENT;
  file.e_type = ET_EXEC;
  file.e_machine = EM_X86_64;
  file.e_ehsize = sizeof file;
  file.e_shentsize = sizeof(Elf64_Shdr);
  file.e_phentsize = sizeof(Elf64_Phdr);
  file.e_shnum = static_cast<std::uint16_t>(headers.size());
  file.e_phnum = static_cast<std::uint16_t>(segments.size());
  file.e_shstrndx = static_cast<std::uint16_t>(headers.size() - 1);
  file.e_shoff = sizeof file + contents.size();
  file.e_phoff = file.e_shoff + headers.size() * sizeof(Elf64_Shdr);
  FileBytes bytes;
  append(bytes, file);
  bytes.insert(bytes.end(), contents.begin(), contents.end());
  for (const Elf64_Shdr& header : headers) {
    append(bytes, header);
  }
  for (const Elf64_Phdr& segment : segments) {
    append(bytes, segment);
  }
  return bytes;
}

}  // namespace ridge::measure
