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
#include "measure/code/mapped_file.hpp"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {

/// A module as a process loaded it.
struct LoadedModule {
  std::string_view file;                ///< path; empty: unknown
  std::span<const std::byte> build_id;  ///< empty: the file has none
  std::span<const std::byte> blob;      ///< its descriptor, as it lay in memory
  const Descriptor* descriptor = nullptr;
};

/// Why `file` is not the one that ran: another build ID, or without the descriptors that lay in
/// memory. nullopt: it is.
[[nodiscard]] std::optional<std::string> difference(
    const machine_code::ElfImage& image, std::span<const std::uint8_t> file,
    const std::vector<const LoadedModule*>& modules);

}  // namespace ridge::measure
