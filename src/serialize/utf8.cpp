#include "serialize/utf8.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t index) {
  return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
}

bool in_range(unsigned value, unsigned low, unsigned high) {
  return value >= low && value <= high;
}

void append_escaped_ascii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      } else {
        out += c;
      }
  }
}

/// U+0080 to U+009F: terminals obey some of them as they obey ESC.
bool is_c1(std::string_view sequence) {
  return sequence.size() == 2 && byte_at(sequence, 0) == 0xC2 && byte_at(sequence, 1) < 0xA0;
}

void append_escaped(std::string& out, std::string_view sequence) {
  if (sequence.size() == 1) {
    append_escaped_ascii(out, sequence.front());
  } else if (is_c1(sequence)) {
    out += fmt::format("\\u{:04x}", byte_at(sequence, 1));
  } else {
    out += sequence;
  }
}

/// Of printable ASCII without quotes and backslashes, which no form changes.
std::size_t plain_length(std::string_view text) {
  const auto* end = std::find_if(text.begin(), text.end(), [](char c) {
    return c < 0x20 || c == 0x7F || c == '"' || c == '\\';  // bytes from 0x80 on are negative
  });
  return static_cast<std::size_t>(end - text.begin());
}

/// Copies what is plain, and calls `append` for each valid sequence between.
template <class Append>
void append_sequences(std::string& out, std::string_view text, Append append) {
  while (!text.empty()) {
    const std::size_t plain = plain_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) {
      return;
    }
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) {
      out += kReplacement;
    } else {
      append(out, text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

}  // namespace

std::size_t utf8_sequence_length(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  const unsigned second = byte_at(text, 1);
  if (first < 0x80) {
    return 1;
  }
  if (in_range(first, 0xC2, 0xDF)) {
    return in_range(second, 0x80, 0xBF) ? 2 : 0;
  }
  const bool third_follows = in_range(byte_at(text, 2), 0x80, 0xBF);
  if (in_range(first, 0xE0, 0xEF)) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return in_range(second, low, high) && third_follows ? 3 : 0;
  }
  if (in_range(first, 0xF0, 0xF4)) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    const bool fourth_follows = in_range(byte_at(text, 3), 0x80, 0xBF);
    return in_range(second, low, high) && third_follows && fourth_follows ? 4 : 0;
  }
  return 0;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_sequences(out, text, [](std::string& into, std::string_view part) { into += part; });
  return out;
}

void append_json_escaped(std::string& out, std::string_view text) {
  append_sequences(out, text, append_escaped);
}

std::string escape_for_message(std::string_view text) {
  std::string out;
  append_json_escaped(out, text);
  return out;
}

}  // namespace ridge::serialize
