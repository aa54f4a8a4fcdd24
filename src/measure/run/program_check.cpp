#include "measure/run/program_check.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include "abi/layout.h"
#include "abi/version.h"
#include "platform/process.hpp"

namespace ridge::measure {
namespace {

constexpr std::string_view kOwner{"Ridge\0", 6};
constexpr const char* kSection = ".note.ridge";
constexpr std::string_view kRegister = "ridge_register_module";
constexpr std::string_view kRuntimeLibrary = "libridge_runtime.so";
constexpr const char* kBuildHint =
    "Build it with ridge-cc or ridge-c++ in place of the compiler, for example "
    "`CC=ridge-cc CXX=ridge-c++ cmake ...` or `make CC=ridge-cc CXX=ridge-c++`. If it only starts "
    "or "
    "loads instrumented code, add --launcher.";

struct OpenElf {
  int file = -1;
  Elf* elf = nullptr;

  explicit OpenElf(const std::string& path) : file(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    elf = file < 0 ? nullptr : elf_begin(file, ELF_C_READ, nullptr);
  }
  OpenElf(const OpenElf&) = delete;
  OpenElf& operator=(const OpenElf&) = delete;
  ~OpenElf() {
    elf_end(elf);
    if (file >= 0) {
      close(file);
    }
  }
};

std::optional<InstrumentationNote> parse_note(std::string_view owner, std::uint32_t type,
                                              std::string_view description) {
  if (owner != kOwner || type != RIDGE_NOTE_TYPE || description.size() < sizeof(std::uint32_t)) {
    return std::nullopt;
  }
  InstrumentationNote note;
  std::memcpy(&note.abi_version, description.data(), sizeof note.abi_version);
  description.remove_prefix(sizeof note.abi_version);
  note.ridge_version = description.substr(0, description.find('\0'));
  return note;
}

void add_notes(Elf_Data* data, std::vector<InstrumentationNote>& notes) {
  const std::string_view bytes(static_cast<const char*>(data->d_buf), data->d_size);
  GElf_Nhdr header{};
  std::size_t name = 0;
  std::size_t description = 0;
  std::size_t next = 0;
  for (std::size_t at = 0; (next = gelf_getnote(data, at, &header, &name, &description)) > 0;
       at = next) {
    const auto note = parse_note(bytes.substr(name, header.n_namesz), header.n_type,
                                 bytes.substr(description, header.n_descsz));
    if (note && std::find(notes.begin(), notes.end(), *note) == notes.end()) {
      notes.push_back(*note);
    }
  }
}

bool is_note_section(Elf* elf, Elf_Scn* section, std::size_t names) {
  GElf_Shdr header{};
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_NOTE) {
    return false;
  }
  const char* name = elf_strptr(elf, names, header.sh_name);
  return name != nullptr && std::strcmp(name, kSection) == 0;
}

/// Whether a section of the file that holds a T for which `wanted` is true.
template <class T>
bool any_entry(Elf* elf, T* (*get)(Elf_Data*, int, T*), Elf64_Word type,
               const std::function<bool(const T&, const GElf_Shdr&)>& wanted) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type) {
      continue;
    }
    Elf_Data* data = elf_getdata(section, nullptr);
    T entry{};
    for (int i = 0; data != nullptr && get(data, i, &entry) != nullptr; ++i) {
      if (wanted(entry, header)) {
        return true;
      }
    }
  }
  return false;
}

bool starts_with(const char* text, std::string_view start) {
  return text != nullptr && std::string_view(text).starts_with(start);
}

/// Its own symbols say so: nothing defines what instrumented code calls, and no library that the
/// program names does. Without symbols nothing is known.
bool lacks_runtime(Elf* elf) {
  const auto is_open = [&](const GElf_Sym& symbol, const GElf_Shdr& header) {
    return symbol.st_shndx == SHN_UNDEF &&
           starts_with(elf_strptr(elf, header.sh_link, symbol.st_name), kRegister);
  };
  const auto names_runtime = [&](const GElf_Dyn& entry, const GElf_Shdr& header) {
    return entry.d_tag == DT_NEEDED &&
           starts_with(elf_strptr(elf, header.sh_link, entry.d_un.d_val), kRuntimeLibrary);
  };
  return (any_entry<GElf_Sym>(elf, gelf_getsym, SHT_SYMTAB, is_open) ||
          any_entry<GElf_Sym>(elf, gelf_getsym, SHT_DYNSYM, is_open)) &&
         !any_entry<GElf_Dyn>(elf, gelf_getdyn, SHT_DYNAMIC, names_runtime);
}

/// By program headers: what is left when the section headers were stripped.
void add_segment_notes(Elf* elf, std::vector<InstrumentationNote>& notes) {
  std::size_t count = 0;
  for (std::size_t i = 0; elf_getphdrnum(elf, &count) == 0 && i < count; ++i) {
    GElf_Phdr header{};
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_NOTE) {
      continue;
    }
    const auto type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.p_offset),
                                          header.p_filesz, type);
    if (data != nullptr && data->d_buf != nullptr) {
      add_notes(data, notes);
    }
  }
}

}  // namespace

Result<std::vector<InstrumentationNote>> read_notes(const std::string& path) {
  const OpenElf open_elf(path);
  if (open_elf.elf == nullptr || elf_kind(open_elf.elf) != ELF_K_ELF) {
    return fail(ErrorCode::bad_input,
                open_elf.file < 0 ? fmt::format("cannot read {}: {}", path, std::strerror(errno))
                                  : fmt::format("{} is a script or no program at all, so it is not "
                                                "instrumented itself",
                                                path),
                "If it starts or loads instrumented code, add --launcher.");
  }
  std::vector<InstrumentationNote> notes;
  std::size_t names = 0;
  if (elf_getshdrstrndx(open_elf.elf, &names) == 0) {
    for (Elf_Scn* section = elf_nextscn(open_elf.elf, nullptr); section != nullptr;
         section = elf_nextscn(open_elf.elf, section)) {
      Elf_Data* data =
          is_note_section(open_elf.elf, section, names) ? elf_getdata(section, nullptr) : nullptr;
      if (data != nullptr && data->d_buf != nullptr) {
        add_notes(data, notes);
      }
    }
  }
  if (notes.empty()) {
    add_segment_notes(open_elf.elf, notes);
  }
  return notes;
}

Result<void> check_program(const std::string& path) {
  const auto notes = read_notes(path);
  if (!notes) {
    return tl::make_unexpected(notes.error());
  }
  if (notes->empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} is not instrumented", path), kBuildHint);
  }
  for (const InstrumentationNote& note : *notes) {
    if (note.abi_version != RIDGE_ABI_VERSION) {
      return fail(
          ErrorCode::bad_input,
          fmt::format("{} was instrumented by Ridge {} (interface version {}), this is Ridge "
                      "{} (interface version {})",
                      path, note.ridge_version, note.abi_version, ridge_version_text,
                      static_cast<int>(RIDGE_ABI_VERSION)),
          "Build it again with this installation's ridge-cc or ridge-c++.");
    }
  }
  const OpenElf open_elf(path);
  if (open_elf.elf != nullptr && lacks_runtime(open_elf.elf)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is instrumented, but it was linked without Ridge's runtime, so it "
                            "runs uncounted",
                            path),
                "Link it with ridge-cc or ridge-c++ in place of the compiler. If a library that it "
                "loads brings the runtime, add --launcher.");
  }
  return {};
}

bool launches_instrumented(const std::vector<std::string>& arguments) {
  constexpr std::array<std::string_view, 8> kLaunchers{"mpirun", "mpiexec", "orterun", "prterun",
                                                       "prun",   "srun",    "aprun",   "jsrun"};
  if (arguments.empty()) {
    return false;
  }
  std::string name = std::filesystem::path(arguments.front()).filename().string();
  name.resize(std::min(name.size(), name.find('.')));  // mpirun.openmpi
  if (std::ranges::find(kLaunchers, name) == kLaunchers.end()) {
    return false;
  }
  return std::any_of(arguments.begin() + 1, arguments.end(), [](const std::string& word) {
    const auto program = platform::find_program(word);
    const auto notes = program ? read_notes(*program) : Result<std::vector<InstrumentationNote>>();
    return program && notes && !notes->empty();
  });
}

}  // namespace ridge::measure
