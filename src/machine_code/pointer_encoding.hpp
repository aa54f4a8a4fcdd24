// Pointers as exception tables hold them (DW_EH_PE_, Linux Standard Base, 10.5.1).
#pragma once

#include <cstdint>
#include <optional>

#include "machine_code/byte_reader.hpp"

namespace ridge::machine_code::pointer_encoding {

inline constexpr std::uint8_t kAbsolute = 0x00;
inline constexpr std::uint8_t kOmitted = 0xFF;
inline constexpr std::uint8_t kFormat = 0x0F;       ///< mask: size and sign
inline constexpr std::uint8_t kApplication = 0x70;  ///< mask: relative to what
inline constexpr std::uint8_t kRelative = 0x10;     ///< to its own address
inline constexpr std::uint8_t kToData = 0x30;       ///< to `data`

[[nodiscard]] inline std::uint64_t take_plain(ByteReader& reader, std::uint8_t encoding) {
  const auto widen = [](auto value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  };
  switch (encoding & kFormat) {
    case 0x01:
      return reader.take_uleb();
    case 0x02:
      return reader.take<std::uint16_t>();
    case 0x03:
      return reader.take<std::uint32_t>();
    case 0x09:
      return widen(reader.take_sleb());
    case 0x0A:
      return widen(reader.take<std::int16_t>());
    case 0x0B:
      return widen(reader.take<std::int32_t>());
    default:
      return reader.take<std::uint64_t>();
  }
}

/// nullopt: omitted, null, or relative to what is not known. `address`: of the reader's first byte.
/// What is to be looked up in memory (indirect) is given as the place where it stands.
inline std::optional<std::uint64_t> take(ByteReader& reader, std::uint8_t encoding,
                                         std::uint64_t address,
                                         std::optional<std::uint64_t> data = std::nullopt) {
  if (encoding == kOmitted) {
    return std::nullopt;
  }
  const std::uint64_t own = address + reader.at();
  const std::uint64_t value = take_plain(reader, encoding);
  if (reader.failed() || value == 0) {
    return std::nullopt;
  }
  switch (encoding & kApplication) {
    case kAbsolute:
      return value;
    case kRelative:
      return own + value;
    case kToData:
      return data ? std::optional(*data + value) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace ridge::machine_code::pointer_encoding
