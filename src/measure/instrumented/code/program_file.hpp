// The file of a module that ran, for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// A module as a process loaded it.
struct LoadedModule {
  std::string_view file;                ///< path; empty: unknown
  std::span<const std::byte> build_id;  ///< empty: the file has none
  std::span<const std::byte> blob;      ///< its descriptor, as it lay in memory
  const Descriptor* descriptor = nullptr;
};

/// A file in memory, for as long as this lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /// Empty where it cannot be read, and for what is no ordinary file.
  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return data_ != nullptr ? std::span(data_, size_) : std::span<const std::uint8_t>{};
  }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Why `file` is not the one that ran: another build ID, or without the descriptors that lay in
/// memory. nullopt: it is.
[[nodiscard]] std::optional<std::string> difference(
    const machine_code::ElfImage& image, std::span<const std::uint8_t> file,
    const std::vector<const LoadedModule*>& modules);

}  // namespace ridge::measure
