#include "serialize/json_scanner.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "serialize/json_builder.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

/// Bytes that stand for themselves in a string: ASCII but control characters, quotes and
/// backslashes.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) {
    plain[c] = c != '"' && c != '\\';
  }
  return plain;
}();

bool is_plain(char c) {
  return kPlain[static_cast<unsigned char>(c)];
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What a backslash and this letter stand for; 0 where they are no escape of one letter.
char escaped(char letter) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const auto at = kLetters.find(letter);
  return at == std::string_view::npos ? '\0' : kMeanings[at];
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  const auto continuation = [&](unsigned shift) { byte(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    continuation(0);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    continuation(6);
    continuation(0);
  } else {
    byte(0xF0 | code >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

/// Each function reads what it is named after from `at_` on and returns whether it was there.
class Scanner {
 public:
  Scanner(std::string_view text, JsonNull null)
      : at_(text.data()), end_(text.data() + text.size()), null_(null) {
    builder_.expect_bytes(text.size());
  }

  std::optional<Document> run() {
    if (!value()) {
      return std::nullopt;
    }
    skip_blanks();
    return at_ == end_ ? std::optional(builder_.take()) : std::nullopt;
  }

 private:
  void skip_blanks() {
    for (; at_ != end_; ++at_) {
      if (*at_ == '\n') {
        ++line_;
      } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
        return;
      }
    }
  }

  /// Behind blanks.
  bool character(char wanted) {
    skip_blanks();
    if (at_ == end_ || *at_ != wanted) {
      return false;
    }
    ++at_;
    return true;
  }

  bool value() {
    skip_blanks();
    if (at_ == end_) {
      return false;
    }
    switch (*at_) {
      case '{':
        return container(JsonKind::object, '}');
      case '[':
        return container(JsonKind::array, ']');
      case '"':
        return text();
      case 't':
      case 'f':
        return boolean(*at_ == 't');
      case 'n':
        return null();
      default:
        return number();
    }
  }

  bool text() {
    const auto value = string();
    if (value) {
      builder_.string(line_, *value);
    }
    return value.has_value();
  }

  bool boolean(bool value) {
    if (!word(value ? "true" : "false")) {
      return false;
    }
    builder_.boolean(line_, value);
    return true;
  }

  bool null() {
    if (null_ == JsonNull::refused || !word("null")) {
      return false;
    }
    builder_.null(line_);
    return true;
  }

  bool word(std::string_view wanted) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(wanted)) {
      return false;
    }
    at_ += wanted.size();
    return true;
  }

  /// Calls itself for at most kMaxDepth levels.
  bool container(JsonKind kind, char closing) {
    ++at_;
    builder_.open(line_, kind);
    if (builder_.depth() > Document::kMaxDepth) {
      return false;
    }
    if (!character(closing)) {
      do {
        if ((kind == JsonKind::object && !key()) || !value()) {
          return false;
        }
      } while (character(','));
      if (!character(closing)) {
        return false;
      }
    }
    return builder_.close() == Document::kNone;
  }

  bool key() {
    skip_blanks();
    const auto text = at_ != end_ && *at_ == '"' ? string() : std::nullopt;
    if (!text) {
      return false;
    }
    builder_.key(*text);
    return character(':');
  }

  /// Valid until the next string is read.
  std::optional<std::string_view> string() {
    const char* begin = ++at_;
    skip_plain();
    if (at_ != end_ && *at_ == '"') {
      return std::string_view(begin, static_cast<std::size_t>(at_++ - begin));
    }
    scratch_.assign(begin, at_);
    while (at_ != end_ && *at_ != '"') {
      if (!(*at_ == '\\' ? escape() : sequence())) {
        return std::nullopt;
      }
      begin = at_;
      skip_plain();
      scratch_.append(begin, at_);
    }
    if (at_ == end_) {
      return std::nullopt;
    }
    ++at_;
    return scratch_;
  }

  void skip_plain() {
    while (at_ != end_ && is_plain(*at_)) {
      ++at_;
    }
  }

  /// A character of several bytes.
  bool sequence() {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    const std::size_t length = utf8_sequence_length(rest);
    if (length < 2) {
      return false;  // a control character, or no UTF-8
    }
    scratch_.append(at_, length);
    at_ += length;
    return true;
  }

  bool escape() {
    ++at_;
    if (at_ == end_) {
      return false;
    }
    const char letter = *at_++;
    if (letter != 'u') {
      scratch_ += escaped(letter);
      return escaped(letter) != '\0';
    }
    auto code = four_digits();
    if (code && *code >= 0xD800 && *code < 0xDC00) {  // the first half of a pair
      const auto second = word("\\u") ? four_digits() : std::nullopt;
      const bool pair = second && *second >= 0xDC00 && *second < 0xE000;
      code = pair ? std::optional(0x10000 + ((*code - 0xD800) << 10) + (*second - 0xDC00))
                  : std::nullopt;
    } else if (code && *code >= 0xDC00 && *code < 0xE000) {
      return false;
    }
    if (code) {
      append_utf8(scratch_, *code);
    }
    return code.has_value();
  }

  std::optional<std::uint32_t> four_digits() {
    constexpr std::ptrdiff_t kDigits = 4;
    constexpr int kBase = 16;
    std::uint32_t code = 0;
    if (end_ - at_ < kDigits ||
        std::from_chars(at_, at_ + kDigits, code, kBase).ptr != at_ + kDigits) {
      return std::nullopt;
    }
    at_ += kDigits;
    return code;
  }

  bool digits() {
    const char* begin = at_;
    while (at_ != end_ && is_digit(*at_)) {
      ++at_;
    }
    return at_ != begin;
  }

  bool number() {
    const char* begin = at_;
    const bool negative = *at_ == '-';
    at_ += negative ? 1 : 0;
    const bool zero = at_ != end_ && *at_ == '0';
    if (zero) {
      ++at_;  // no digit may follow
    } else if (!digits()) {
      return false;
    }
    const char* whole_end = at_;
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      if (!digits()) {
        return false;
      }
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      at_ += at_ != end_ && (*at_ == '+' || *at_ == '-') ? 1 : 0;
      if (!digits()) {
        return false;
      }
    }
    return (at_ == whole_end && whole(begin, negative)) || real(begin);
  }

  /// False where 64 bits do not hold it.
  bool whole(const char* begin, bool negative) {
    if (negative) {
      std::int64_t value = 0;
      const bool fits = std::from_chars(begin, at_, value).ec == std::errc{};
      if (fits && value < 0) {
        builder_.negative_integer(line_, value);
      } else if (fits) {
        builder_.natural(line_, 0);  // "-0"
      }
      return fits;
    }
    std::uint64_t value = 0;
    const bool fits = std::from_chars(begin, at_, value).ec == std::errc{};
    if (fits) {
      builder_.natural(line_, value);
    }
    return fits;
  }

  /// False where a double does not hold it, and where it is nearer to 0 than any.
  bool real(const char* begin) {
    double value = 0.0;
    const bool fits = std::from_chars(begin, at_, value).ec == std::errc{};
    if (fits) {
      builder_.real(line_, value);
    }
    return fits;
  }

  const char* at_;
  const char* end_;
  JsonNull null_;
  std::uint32_t line_ = 1;
  DocumentBuilder builder_;
  std::string scratch_;  // of a string with escapes
};

}  // namespace

std::optional<Document> scan_document(std::string_view text, JsonNull null) {
  return Scanner(text, null).run();
}

}  // namespace ridge::serialize
