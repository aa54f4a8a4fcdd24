// A linked program or library, as its file holds it: sections, segments, symbols of functions,
// build ID. Reads ELF64, little endian. The bytes are those of strangers: every offset and count is
// checked against the file before it is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/address_range.hpp"
#include "machine_code/architecture.hpp"

namespace ridge::machine_code {

struct Section {
  std::string_view name;
  std::uint32_t type = 0;               ///< SHT_...
  std::uint64_t address = 0;            ///< 0: not loaded
  std::uint64_t size = 0;               ///< in memory
  bool executable = false;              ///< SHF_EXECINSTR
  bool loaded = false;                  ///< SHF_ALLOC
  std::uint32_t link = 0;               ///< index of the section that this one refers to
  std::span<const std::uint8_t> bytes;  ///< empty for those that take no room in the file (.bss)
};

/// A part of the file that is loaded (PT_LOAD). In order of addresses, apart from one another.
struct Segment {
  std::uint64_t address = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t file_offset = 0;
  std::uint64_t file_size = 0;  ///< what lies behind it in memory is zero
  bool executable = false;
  bool writable = false;
};

struct FunctionSymbol {
  std::string_view name;  ///< as the linker knows it: mangled, without its version
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< 0: the file does not say
  bool global = false;     ///< or weak
};

/// A pointer that the dynamic linker fills with the address of a function of another file: what
/// `call *slot(%rip)` and the stubs of the procedure linkage table go through.
struct ImportSlot {
  std::uint64_t address = 0;
  std::string_view name;
};

/// Refers to the bytes that it was read from, which must outlive it and whatever it hands out.
class ElfImage {
 public:
  /// Errors: `bad_input` for what is no ELF64 file in little endian, is no linked program or
  /// library (object files have no addresses yet), is of another architecture than those known, or
  /// says what its own size belies.
  [[nodiscard]] static Result<ElfImage> read(std::span<const std::uint8_t> file);

  [[nodiscard]] Architecture architecture() const { return architecture_; }
  /// Where the program begins; nullopt for most libraries.
  [[nodiscard]] std::optional<std::uint64_t> entry_point() const { return entry_point_; }
  /// Loaded anywhere (ET_DYN): libraries, and programs unless they were linked with -no-pie.
  [[nodiscard]] bool position_independent() const { return position_independent_; }
  /// Empty where the section headers were stripped.
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const Section* section(std::string_view name) const;
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  /// The GNU build ID in hexadecimal digits; nullopt where the linker was not asked for one.
  [[nodiscard]] const std::optional<std::string>& build_id() const { return build_id_; }

  /// Where code lies: executable sections, else executable segments. In order, apart from one
  /// another.
  [[nodiscard]] std::vector<AddressRange> executable_ranges() const;
  /// Functions that the file defines, by address, then size: .symtab, and .dynsym besides. One for
  /// each name and address.
  [[nodiscard]] std::vector<FunctionSymbol> function_symbols() const;
  /// By address. Of the dynamic relocations; none of a static program.
  [[nodiscard]] std::vector<ImportSlot> import_slots() const;

  /// The bytes of [address, address + size) in the file; nullopt where one of them is not in it.
  /// Relocations are not applied.
  [[nodiscard]] std::optional<std::span<const std::uint8_t>> bytes_at(std::uint64_t address,
                                                                      std::uint64_t size) const;
  /// From `address` to the end of its segment's part of the file; empty where it is not in the
  /// file.
  [[nodiscard]] std::span<const std::uint8_t> bytes_from(std::uint64_t address) const;
  /// The search table of frame descriptions (.eh_frame_hdr), by its program header; nullopt without
  /// one.
  [[nodiscard]] const std::optional<AddressRange>& unwind_table() const { return unwind_table_; }
  /// nullopt where the address is not in the file.
  [[nodiscard]] std::optional<std::uint64_t> file_offset(std::uint64_t address) const;

 private:
  std::span<const std::uint8_t> file_;
  Architecture architecture_ = Architecture::x86_64;
  std::optional<std::uint64_t> entry_point_;
  bool position_independent_ = false;
  std::vector<Section> sections_;
  std::vector<Segment> segments_;
  std::optional<std::string> build_id_;
  std::optional<AddressRange> unwind_table_;

  friend class ElfReader;
};

}  // namespace ridge::machine_code
