#include "render/chart/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ridge::render {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15, East Asian Width W and F, coarse: exact enough to keep columns aligned.
constexpr std::array<Range, 10> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 6> kZeroWidth = {{{0x0300, 0x036F},
                                              {0x0483, 0x0489},
                                              {0x200B, 0x200D},
                                              {0x20D0, 0x20F0},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F}}};
// Marks that reorder or hide text: a name must not be able to pose as another.
constexpr std::array<Range, 5> kDirection = {
    {{0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}}};

template <std::size_t N>
bool in_any(char32_t point, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [point](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

std::size_t width_of(char32_t point) {
  if (point < 0x300) {
    return 1;
  }
  return in_any(point, kZeroWidth) ? 0 : in_any(point, kWide) ? 2 : 1;
}

struct Decoded {
  char32_t point = kReplacement;
  std::size_t bytes = 1;
};

/// One code point of untrusted UTF-8; overlong forms, surrogates and cut sequences are one
/// replacement character per offending byte.
Decoded decode(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text[0]);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return {};
  }
  char32_t point = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<std::uint8_t>(text[i]);
    if ((next & 0xC0U) != 0x80U) {
      return {};
    }
    point = (point << 6U) | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kLeast.at(length) || surrogate || point > 0x10FFFF) {
    return {};
  }
  return {point, length};
}

bool printable(char32_t point) {
  const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  const bool non_character = (point & 0xFFFEU) == 0xFFFEU || (point >= 0xFDD0 && point <= 0xFDEF);
  return !control && !non_character && !in_any(point, kDirection);
}

void append_utf8(std::string& out, char32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
    return;
  }
  const int extra = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr std::array<unsigned, 4> kLead = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead.at(static_cast<std::size_t>(extra)) | (point >> (6 * extra)));
  for (int i = extra - 1; i >= 0; --i) {
    out += static_cast<char>(0x80U | ((point >> (6 * i)) & 0x3FU));
  }
}

/// Bytes of the sequence "ESC [ digits and semicolons m" at the start; 0: there is none.
std::size_t colour_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) {
    return 0;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// The longest prefix (bytes) of at most `width` columns.
std::size_t prefix_bytes(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Decoded next = decode(text.substr(at));
    used += width_of(next.point);
    if (used > width) {
      break;
    }
    at += next.bytes;
  }
  return at;
}

/// The longest suffix of at most `width` columns.
std::string_view suffix_of(std::string_view text, std::size_t width) {
  std::size_t left = display_width(text);
  std::size_t at = 0;
  while (at < text.size() && left > width) {
    const Decoded next = decode(text.substr(at));
    left -= width_of(next.point);
    at += next.bytes;
  }
  return text.substr(at);
}

}  // namespace

std::string clean(std::string_view text, bool unicode) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text.substr(at));
    at += next.bytes;
    if (next.point == '\t' || next.point == '\n' || next.point == '\r') {
      out += ' ';
    } else if (!unicode && (next.point >= 0x7F || next.point < 0x20)) {
      out += '?';
    } else {
      append_utf8(out, printable(next.point) ? next.point : kReplacement);
    }
  }
  return out;
}

std::string clean_lines(std::string_view text, bool colours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t special = std::min(text.find_first_of("\n\x1b"), text.size());
    out += clean(text.substr(0, special));
    text.remove_prefix(special);
    if (text.empty()) {
      break;
    }
    const std::size_t kept = text.front() == '\n' ? 1 : colours ? colour_bytes(text) : 0;
    out += kept > 0 ? std::string(text.substr(0, kept)) : clean(text.substr(0, 1));
    text.remove_prefix(std::max<std::size_t>(kept, 1));
  }
  return out;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : clean(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded next = decode(text.substr(at));
    width += width_of(next.point);
    at += next.bytes;
  }
  return width;
}

std::string shorten_middle(std::string_view text, std::size_t width, bool unicode) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  const std::string_view ellipsis = unicode ? "\xE2\x80\xA6" : "...";
  const std::size_t mark = display_width(ellipsis);
  if (width <= mark) {
    return std::string(text.substr(0, prefix_bytes(text, width)));
  }
  const std::size_t room = width - mark;
  const std::size_t tail = room - room / 2;
  std::string out(text.substr(0, prefix_bytes(text, room / 2)));
  out += ellipsis;
  out += suffix_of(text, tail);
  return out;
}

std::string shorten_end(std::string_view text, std::size_t width, bool unicode) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  const std::string_view ellipsis = unicode ? "\xE2\x80\xA6" : "...";
  const std::size_t mark = display_width(ellipsis);
  if (width <= mark) {
    return std::string(text.substr(0, prefix_bytes(text, width)));
  }
  std::string out(text.substr(0, prefix_bytes(text, width - mark)));
  return out.append(ellipsis);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) {
      continue;
    }
    const std::size_t used = display_width(lines.back());
    if (used != 0 && used + 1 + display_width(word) > width) {
      lines.emplace_back();
    } else if (used != 0) {
      lines.back() += ' ';
    }
    while (display_width(word) > width) {
      const std::size_t cut = std::max<std::size_t>(prefix_bytes(word, width), 1);
      lines.back() += word.substr(0, cut);
      word.remove_prefix(cut);
      lines.emplace_back();
    }
    lines.back() += word;
  }
  return lines;
}

std::string pad_right(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used < width ? text.append(width - used, ' ') : text;
}

std::string pad_left(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

}  // namespace ridge::render
