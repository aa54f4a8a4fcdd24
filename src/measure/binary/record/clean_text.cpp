#include "measure/binary/record/clean_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ridge::measure::binary {
namespace {

/// Length of the UTF-8 sequence at the beginning of `text`; 0 for what is none.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  const bool is_continued = std::ranges::all_of(text.substr(1, length - 1), [](char next) {
    return (static_cast<std::uint8_t>(next) & 0xC0U) == 0x80;
  });
  if (length < 2) {
    return length;
  }
  const auto second = static_cast<std::uint8_t>(text[1]);
  const bool is_refused = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                          (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ||
                          (first == 0xC2 && second < 0xA0);  // C1 controls
  return is_continued && !is_refused ? length : 0;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<std::uint8_t>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7F) {
      clean += '?';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

}  // namespace ridge::measure::binary
