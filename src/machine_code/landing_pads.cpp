#include "machine_code/landing_pads.hpp"

#include <algorithm>

#include "machine_code/byte_reader.hpp"
#include "machine_code/pointer_encoding.hpp"

namespace ridge::machine_code {

std::vector<std::uint64_t> landing_pads(const ElfImage& image, const FunctionRange& range) {
  std::vector<std::uint64_t> pads = all_landing_pads(image, range);
  std::erase_if(pads, [&](std::uint64_t pad) { return pad < range.begin || pad >= range.end; });
  return pads;
}

std::vector<std::uint64_t> all_landing_pads(const ElfImage& image, const FunctionRange& range) {
  if (range.landing_pads == 0) {
    return {};
  }
  const Bytes bytes = image.bytes_from(range.landing_pads);
  ByteReader reader(bytes);
  const auto start_encoding = reader.take<std::uint8_t>();
  const std::uint64_t start =
      pointer_encoding::take(reader, start_encoding, range.landing_pads).value_or(range.begin);
  const auto type_encoding = reader.take<std::uint8_t>();
  if (type_encoding != pointer_encoding::kOmitted) {
    reader.take_uleb();
  }
  const auto encoding = reader.take<std::uint8_t>();
  const std::uint64_t size = reader.take_uleb();
  const std::uint64_t end = reader.at() + size;
  std::vector<std::uint64_t> pads;
  while (!reader.failed() && size <= bytes.size() && reader.at() < end) {
    static_cast<void>(pointer_encoding::take_plain(reader, encoding));  // where the calls begin
    static_cast<void>(pointer_encoding::take_plain(reader, encoding));  // how many bytes of them
    const std::uint64_t pad = start + pointer_encoding::take_plain(reader, encoding);
    reader.take_uleb();
    if (!reader.failed() && pad != start) {
      pads.push_back(pad);
    }
  }
  std::sort(pads.begin(), pads.end());
  pads.erase(std::unique(pads.begin(), pads.end()), pads.end());
  return pads;
}

}  // namespace ridge::machine_code
