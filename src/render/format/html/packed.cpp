#include "render/format/html/packed.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>
#include <zlib.h>

namespace ridge::render {
namespace {

using Bytes = std::vector<Bytef>;

/// Higher levels take two to three times as long to save another fifth (decision 0229).
constexpr int kLevel = 3;

Bytes deflated(std::string_view text) {
  uLong size = compressBound(text.size());
  Bytes bytes(size);
  const auto* source = reinterpret_cast<const Bytef*>(text.data());
  if (compress2(bytes.data(), &size, source, text.size(), kLevel) != Z_OK) {
    throw std::bad_alloc();  // the only way to fail with room for all
  }
  bytes.resize(size);
  return bytes;
}

std::string base64_of(std::span<const Bytef> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kGroup = 3;
  constexpr unsigned kDigitBits = 6;
  constexpr unsigned kDigitMask = 63;
  std::string text;
  text.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
  for (std::size_t at = 0; at < bytes.size(); at += kGroup) {
    const auto byte = [&](std::size_t place) -> std::uint32_t {
      return at + place < bytes.size() ? bytes[at + place] : 0U;
    };
    const std::uint32_t bits = byte(0) << 16U | byte(1) << 8U | byte(2);
    for (unsigned digit = 0; digit < 4; ++digit) {
      const bool is_known = digit == 0 || at + digit - 1 < bytes.size();
      text += is_known ? kDigits[bits >> (3 - digit) * kDigitBits & kDigitMask] : '=';
    }
  }
  return text;
}

}  // namespace

std::string packed(std::string_view text) {
  return base64_of(deflated(text));
}

}  // namespace ridge::render
