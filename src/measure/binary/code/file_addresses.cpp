#include "measure/binary/code/file_addresses.hpp"

namespace ridge::measure::binary {

std::optional<std::uint64_t> file_address(const machine_code::ElfImage& image,
                                          std::uint64_t offset) {
  const machine_code::Segment* found = nullptr;
  for (const machine_code::Segment& segment : image.segments()) {
    const bool holds =
        offset >= segment.file_offset && offset - segment.file_offset < segment.file_size;
    if (holds && (found == nullptr || (segment.executable && !found->executable))) {
      found = &segment;
    }
  }
  return found != nullptr ? std::optional(found->address + (offset - found->file_offset))
                          : std::nullopt;
}

}  // namespace ridge::measure::binary
