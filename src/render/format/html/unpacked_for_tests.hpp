// What the page makes of packed text (web/src/data/parts.ts), for tests.
#pragma once

#include <string>
#include <string_view>
#include <zlib.h>

namespace ridge::render::testing {

/// "not base64" and "no zlib stream" where it is none.
inline std::string unpacked(std::string_view base64) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  unsigned known = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      return "not base64";
    }
    bits = bits << 6U | static_cast<unsigned>(digit);
    known += 6;
    if (known >= 8) {
      known -= 8;
      bytes += static_cast<char>(bits >> known);
    }
  }
  std::string text(1U << 20U, '\0');
  uLong size = text.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  text.resize(status == Z_OK ? size : 0);
  return status == Z_OK ? text : "no zlib stream";
}

}  // namespace ridge::render::testing
