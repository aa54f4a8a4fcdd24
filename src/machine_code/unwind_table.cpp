// Frame descriptions: .eh_frame as the Linux Standard Base, chapter 10, and DWARF, section 6.4,
// have it.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "machine_code/byte_reader.hpp"
#include "machine_code/function_ranges.hpp"
#include "machine_code/pointer_encoding.hpp"

namespace ridge::machine_code {
namespace {

struct CommonInformation {
  std::uint8_t pointer_encoding = pointer_encoding::kAbsolute;
  std::uint8_t landing_pad_encoding = pointer_encoding::kOmitted;
  bool sized_augmentation = false;
};

struct Record {
  std::uint64_t begin = 0;  ///< of what follows the length
  std::uint64_t end = 0;
};

class FrameReader {
 public:
  FrameReader(Bytes bytes, std::uint64_t address) : bytes_(bytes), address_(address) {}

  Result<std::vector<FunctionRange>> read() {
    std::vector<FunctionRange> ranges;
    for (std::uint64_t at = 0; at + 4 <= bytes_.size();) {
      const auto record = record_at(at);
      if (!record) {
        return wrong(at);
      }
      at = record->end;
      // An end mark lies between the parts of a file that the linker joined.
      if (record->begin == record->end) {
        continue;
      }
      const auto id = value_at<std::uint32_t>(bytes_, record->begin);
      if (!id || (*id != 0 && !add_description(*record, *id, ranges))) {
        return wrong(record->begin);
      }
    }
    return ranges;
  }

 private:
  static tl::unexpected<Error> wrong(std::uint64_t at) {
    return fail(ErrorCode::bad_input,
                fmt::format("no frame description at byte {} of .eh_frame", at));
  }

  [[nodiscard]] std::optional<Record> record_at(std::uint64_t at) const {
    ByteReader reader(bytes_, at);
    std::uint64_t length = reader.take<std::uint32_t>();
    if (length == 0xFFFFFFFF) {
      length = reader.take<std::uint64_t>();
    }
    if (reader.failed() || !part_of(bytes_, reader.at(), length)) {
      return std::nullopt;
    }
    return Record{reader.at(), reader.at() + length};
  }

  [[nodiscard]] std::optional<CommonInformation> parse_common(std::uint64_t at) const {
    const auto record = record_at(at);
    if (!record || value_at<std::uint32_t>(bytes_, record->begin) != 0U) {
      return std::nullopt;
    }
    ByteReader reader(bytes_.first(record->end), record->begin + 4);
    const auto version = reader.take<std::uint8_t>();
    std::string letters;
    constexpr std::size_t kLongest = 16;
    for (char letter = reader.take<char>(); letter != '\0' && letters.size() < kLongest;
         letter = reader.take<char>()) {
      letters += letter;
    }
    reader.take_uleb();
    reader.take_sleb();
    version == 1 ? reader.take<std::uint8_t>() : reader.take_uleb();
    CommonInformation common;
    for (const char letter : letters) {
      if (letter == 'z') {
        reader.take_uleb();
        common.sized_augmentation = true;
      } else if (letter == 'R') {
        common.pointer_encoding = reader.take<std::uint8_t>();
      } else if (letter == 'L') {
        common.landing_pad_encoding = reader.take<std::uint8_t>();
      } else if (letter == 'P') {
        const auto encoding = reader.take<std::uint8_t>();
        pointer_encoding::take(reader, encoding, 0);
      }
    }
    return reader.failed() ? std::nullopt : std::optional(common);
  }

  const std::optional<CommonInformation>& common_at(std::uint64_t at) {
    const auto known = commons_.find(at);
    return known != commons_.end() ? known->second
                                   : commons_.emplace(at, parse_common(at)).first->second;
  }

  bool add_description(const Record& record, std::uint32_t distance,
                       std::vector<FunctionRange>& ranges) {
    const auto& common =
        distance > record.begin ? std::nullopt : common_at(record.begin - distance);
    if (!common) {
      return false;
    }
    ByteReader reader(bytes_.first(record.end), record.begin + 4);
    FunctionRange range;
    range.origin = FunctionOrigin::unwind_table;
    range.begin = pointer_encoding::take(reader, common->pointer_encoding, address_).value_or(0);
    const auto format =
        static_cast<std::uint8_t>(common->pointer_encoding & pointer_encoding::kFormat);
    range.end = range.begin + pointer_encoding::take(reader, format, 0).value_or(0);
    if (common->sized_augmentation) {
      const std::uint64_t size = reader.take_uleb();
      if (common->landing_pad_encoding != pointer_encoding::kOmitted && size > 0) {
        range.landing_pads =
            pointer_encoding::take(reader, common->landing_pad_encoding, address_).value_or(0);
      }
    }
    // Descriptions of functions that the linker dropped stay behind, at 0 or without a size.
    if (!reader.failed() && range.begin != 0 && range.end > range.begin) {
      ranges.push_back(range);
    }
    return !reader.failed();
  }

  Bytes bytes_;
  std::uint64_t address_ = 0;
  std::map<std::uint64_t, std::optional<CommonInformation>> commons_;
};

struct Place {
  Bytes bytes;
  std::uint64_t address = 0;
};

/// By section, else by what the search table says of it (Linux Standard Base, 10.6.2).
std::optional<Place> frames_of(const ElfImage& image) {
  if (const Section* section = image.section(".eh_frame");
      section != nullptr && !section->bytes.empty()) {
    return Place{section->bytes, section->address};
  }
  if (!image.unwind_table()) {
    return std::nullopt;
  }
  const std::uint64_t table = image.unwind_table()->begin;
  ByteReader reader(image.bytes_from(table));
  reader.skip(1);
  const auto encoding = reader.take<std::uint8_t>();
  reader.skip(2);
  const auto address = pointer_encoding::take(reader, encoding, table, table);
  const Bytes bytes = reader.failed() || !address ? Bytes{} : image.bytes_from(*address);
  // Its end is not said. The search table lies in front of it or behind it, and an end mark follows
  // it in a linked file.
  return bytes.empty() ? std::nullopt : std::optional(Place{bytes, *address});
}

/// Without a section header it ends at the first mark.
Bytes up_to_end_mark(Bytes bytes) {
  std::uint64_t at = 0;
  for (auto length = value_at<std::uint32_t>(bytes, at);
       length && *length != 0 && *length != 0xFFFFFFFF;
       length = value_at<std::uint32_t>(bytes, at)) {
    if (!part_of(bytes, at + 4, *length)) {
      break;
    }
    at += 4 + std::uint64_t{*length};
  }
  return bytes.first(at);
}

}  // namespace

Result<std::vector<FunctionRange>> unwind_ranges(const ElfImage& image) {
  const auto place = frames_of(image);
  if (!place) {
    return std::vector<FunctionRange>{};
  }
  const bool by_section = image.section(".eh_frame") != nullptr;
  return FrameReader(by_section ? place->bytes : up_to_end_mark(place->bytes), place->address)
      .read()
      .map([&](std::vector<FunctionRange> ranges) {
        const auto code = image.executable_ranges();
        std::erase_if(ranges, [&](const FunctionRange& range) {
          const AddressRange* const part = find_range(code, range.begin);
          return part == nullptr || range.end > part->end;
        });
        std::sort(ranges.begin(), ranges.end(), [](const FunctionRange& a, const FunctionRange& b) {
          return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        return ranges;
      });
}

}  // namespace ridge::machine_code
