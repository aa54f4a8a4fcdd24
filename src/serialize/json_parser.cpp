#include "serialize/json_parser.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "serialize/json_builder.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

/// Hands the text to the parser and tells everyone how far it has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

/// Line and column (both from 1, the column in bytes) of a byte.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto last_newline = before.rfind('\n');
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {static_cast<std::size_t>(lines) + 1,
          last_newline == std::string_view::npos ? offset + 1 : offset - last_newline};
}

/// The run of letters, digits and signs around a byte: "NaN", "-Infinity", "nul".
std::string_view word_at(std::string_view text, std::size_t offset) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
  };
  std::size_t begin = offset;
  while (begin > 0 && in_word(text[begin - 1])) {
    --begin;
  }
  std::size_t end = offset;
  while (end < text.size() && in_word(text[end])) {
    ++end;
  }
  return text.substr(begin, end - begin);
}

bool is_not_a_number_word(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) {
    word.remove_prefix(1);
  }
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

/// What the parser's message says, without its prefix and without the echo of raw input.
std::string reason_of(std::string_view message) {
  if (const auto bracket = message.find("] "); bracket != std::string_view::npos) {
    message.remove_prefix(bracket + 2);
  }
  if (const auto syntax = message.find("syntax error"); syntax != std::string_view::npos) {
    message.remove_prefix(syntax);
    if (const auto dash = message.find(" - "); dash != std::string_view::npos) {
      message.remove_prefix(dash + 3);
    }
  }
  const auto echo = message.find("; last read");
  return replace_invalid_utf8(message.substr(0, echo));
}

/// Receives the parser's events (the names are those of nlohmann's SAX interface).
class ParserEvents {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  ParserEvents(std::string_view text, std::string_view file_name, JsonNull null)
      : text_(text),
        file_name_(file_name),
        null_(null),
        reached_(text.data()),
        counted_(text.data()) {}

  Result<Document> run() {
    if (text_.find('\0') != std::string_view::npos) {
      // The parser would take it for the end of the text.
      return syntax_error(text_.find('\0'), "a NUL byte is no JSON");
    }
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `end` bounds it
    const CountingIterator begin(text_.data(), &reached_);
    const CountingIterator end(text_.data() + text_.size(), &reached_);
    if (nlohmann::json::sax_parse(begin, end, this)) {
      return builder_.take();
    }
    return tl::make_unexpected(error_.value());
  }

  bool null() {
    const Document::Index index = builder_.null(current_line());
    return null_ == JsonNull::kept ||
           refuse(index, "is null", "leave the key out when its value is unknown");
  }
  bool boolean(bool value) {
    builder_.boolean(current_line(), value);
    return true;
  }
  bool number_integer(number_integer_t value) {
    if (value >= 0) {  // "-0"
      return number_unsigned(static_cast<number_unsigned_t>(value));
    }
    builder_.negative_integer(current_line(), value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) {
    builder_.natural(current_line(), value);
    return true;
  }
  bool number_float(number_float_t value, const string_t& /*spelling*/) {
    builder_.real(current_line(), value);
    return true;
  }
  bool string(const string_t& value) {
    builder_.string(current_line(), value);
    return true;
  }
  bool binary(const binary_t& /*value*/) { return false; }  // JSON text has none

  bool start_object(std::size_t /*elements*/) { return open(JsonKind::object); }
  bool start_array(std::size_t /*elements*/) { return open(JsonKind::array); }
  bool key(const string_t& value) {
    builder_.key(value);
    return true;
  }
  bool end_array() {
    builder_.close();
    return true;
  }
  bool end_object() {
    const Document::Index twice = builder_.close();
    return twice == Document::kNone || refuse(twice, "stands twice", "remove one of the two");
  }

  template <class Exception>
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Exception& error) {
    const auto end = static_cast<std::size_t>(reached_ - text_.data());
    error_ = describe_syntax_error(end, error.what());
    return false;
  }

 private:
  /// Counts on from the last call: linear over the whole text. The parser may have read one
  /// character beyond a number; a line break read that way does not count yet.
  std::uint32_t current_line() {
    const char* until = reached_ == text_.data() ? reached_ : reached_ - 1;
    if (until > counted_) {
      line_ += static_cast<std::uint32_t>(std::count(counted_, until, '\n'));
      counted_ = until;
    }
    return line_;
  }

  bool open(JsonKind kind) {
    const Document::Index index = builder_.open(current_line(), kind);
    if (builder_.depth() <= Document::kMaxDepth) {
      return true;
    }
    error_ = Error{ErrorCode::bad_input,
                   fmt::format("{}:{}: nested more than {} levels deep", file_name_,
                               builder_.document().node(index).line, Document::kMaxDepth),
                   "this is no file that Ridge wrote"};
    return false;
  }

  bool refuse(Document::Index index, std::string_view what, std::string_view hint) {
    const std::string path = builder_.document().path(index);
    error_ = Error{ErrorCode::bad_input,
                   fmt::format("{}:{}: {} {}", file_name_, builder_.document().node(index).line,
                               path.empty() ? "the file" : path, what),
                   std::string(hint)};
    return false;
  }

  tl::unexpected<Error> syntax_error(std::size_t offset, std::string_view what,
                                     std::string_view hint = {}) const {
    const Position at = position_of(text_, offset);
    return fail(ErrorCode::bad_input,
                fmt::format("{}:{}:{}: {}", file_name_, at.line, at.column, what),
                std::string(hint));
  }

  /// `end`: one past the last byte that was read.
  Error describe_syntax_error(std::size_t end, std::string_view parser_message) const {
    if (std::all_of(text_.begin(), text_.end(),
                    [](unsigned char c) { return std::isspace(c) != 0; })) {
      return syntax_error(0, "the file is empty").value();
    }
    const std::size_t at = end == 0 ? 0 : end - 1;
    if (const auto word = word_at(text_, at); is_not_a_number_word(word)) {
      return syntax_error(static_cast<std::size_t>(word.data() - text_.data()),
                          fmt::format("{} is no number", word),
                          "leave the key out when its value is unknown")
          .value();
    }
    const bool truncated =
        end == text_.size() &&
        (parser_message.find("unexpected end of input") != std::string_view::npos ||
         parser_message.find("closing quote") != std::string_view::npos);
    if (truncated) {
      return syntax_error(text_.size(), "the file ends in the middle: it is cut off").value();
    }
    return syntax_error(at, reason_of(parser_message)).value();
  }

  std::string_view text_;
  std::string_view file_name_;
  JsonNull null_;
  const char* reached_;
  const char* counted_;
  std::uint32_t line_ = 1;
  DocumentBuilder builder_;
  std::optional<Error> error_;
};

}  // namespace

Result<Document> parse_with_reasons(std::string_view text, std::string_view file_name,
                                    JsonNull null) {
  return ParserEvents(text, file_name, null).run();
}

}  // namespace ridge::serialize
