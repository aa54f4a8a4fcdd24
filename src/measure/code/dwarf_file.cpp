#include "measure/code/dwarf_file.hpp"

#include <elfutils/libdw.h>
#include <string_view>

namespace ridge::measure {
namespace {

/// libelf writes to the headers of compressed sections when it unpacks them: a mapping that is for
/// reading alone would not survive that, and whoever else reads these bytes would be misled.
bool has_compressed_sections(std::span<const std::uint8_t> file) {
  auto* bytes = reinterpret_cast<char*>(const_cast<std::uint8_t*>(file.data()));
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(bytes, file.size()), elf_end);
  std::size_t names = 0;
  if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0) {
    return false;
  }
  for (Elf_Scn* section = elf_nextscn(elf.get(), nullptr); section != nullptr;
       section = elf_nextscn(elf.get(), section)) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) {
      return false;
    }
    const char* name = elf_strptr(elf.get(), names, header.sh_name);
    if ((header.sh_flags & SHF_COMPRESSED) != 0 ||
        (name != nullptr && std::string_view(name).starts_with(".zdebug"))) {
      return true;
    }
  }
  return false;
}

}  // namespace

DwarfFile::DwarfFile(std::span<const std::uint8_t> file) {
  if (file.empty()) {
    return;
  }
  elf_version(EV_CURRENT);
  if (has_compressed_sections(file)) {
    copy_.assign(file.begin(), file.end());
    file = copy_;
  }
  // libelf takes the bytes as writable and does not write to them.
  auto* bytes = reinterpret_cast<char*>(const_cast<std::uint8_t*>(file.data()));
  elf_ = elf_memory(bytes, file.size());
  dwarf_ = elf_ != nullptr ? dwarf_begin_elf(elf_, DWARF_C_READ, nullptr) : nullptr;
}

DwarfFile::~DwarfFile() {
  dwarf_end(dwarf_);
  elf_end(elf_);
}

}  // namespace ridge::measure
