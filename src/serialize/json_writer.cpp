#include "serialize/json_writer.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/compile.h>

#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 2;

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  append_json_escaped(out, text);
  out += '"';
}

/// The shortest text that reads back exactly.
template <class Number>
void append_number(std::string& out, Number value) {
  constexpr std::size_t kLongest = 32;
  std::array<char, kLongest> digits{};
  char* end = fmt::format_to(digits.data(), FMT_COMPILE("{}"), value);
  out.append(digits.data(), end);
}

}  // namespace

Writer::Writer(JsonLayout layout) : layout_(layout) {
  open({}, false);
}

void Writer::member(std::string_view key, std::string_view value) {
  add_text(key, value);
}

void Writer::member(std::string_view key, bool value) {
  raw(key, value ? "true" : "false");
}

void Writer::member(std::string_view key, double value) {
  if (std::isfinite(value)) {
    append_number(begin_value(key), value);
    end_value();
  }
}

void Writer::member(std::string_view key, std::uint64_t value) {
  append_number(begin_value(key), value);
  end_value();
}

void Writer::member(std::string_view key, std::int64_t value) {
  append_number(begin_value(key), value);
  end_value();
}

void Writer::raw(std::string_view key, std::string_view json) {
  begin_value(key) += json;
  end_value();
}

void Writer::strings(std::string_view key, const std::vector<std::string>& items) {
  open(key, true);
  for (const std::string& item : items) {
    add_text({}, item);
  }
  close();
}

void Writer::string_lists(std::string_view key,
                          const std::vector<std::vector<std::string>>& lists) {
  open(key, true);
  for (const std::vector<std::string>& items : lists) {
    open({}, true);
    for (const std::string& item : items) {
      add_text({}, item);
    }
    close();
  }
  close();
}

template <class Number>
void Writer::add_numbers(std::string_view key, const std::vector<Number>& items) {
  open(key, true);
  for (const Number item : items) {
    append_number(begin_value({}), item);
    end_value();
  }
  close();
}

void Writer::numbers(std::string_view key, const std::vector<unsigned>& items) {
  add_numbers(key, items);
}

void Writer::numbers(std::string_view key, const std::vector<std::uint64_t>& items) {
  add_numbers(key, items);
}

void Writer::numbers(std::string_view key, const std::vector<std::int64_t>& items) {
  add_numbers(key, items);
}

std::string Writer::finish() {
  std::string text;
  if (layout_ == JsonLayout::compact) {
    close();
    text.swap(text_);
  } else {
    text = rendered(0);
  }
  text += '\n';
  open({}, false);
  return text;
}

void Writer::open(std::optional<std::string_view> key, bool is_array) {
  if (layout_ == JsonLayout::compact) {
    if (!frames_.empty()) {
      begin_value(key);
    }
    text_ += is_array ? '[' : '{';
  }
  Frame& frame = frames_.emplace_back();
  frame.key = key;
  frame.is_array = is_array;
}

void Writer::close() {
  const auto key = frames_.back().key;
  if (layout_ == JsonLayout::compact) {
    text_ += frames_.back().is_array ? ']' : '}';
    frames_.pop_back();
    return;
  }
  constexpr std::size_t kColonAndQuotes = 4;
  const std::string value = rendered(key ? key->size() + kColonAndQuotes : 0);
  begin_value(key) += value;
  end_value();
}

std::string& Writer::begin_value(std::optional<std::string_view> key) {
  const bool compact = layout_ == JsonLayout::compact;
  if (!compact) {
    text_.clear();
  } else if (!frames_.back().is_empty) {
    text_ += ',';
  }
  frames_.back().is_empty = false;
  if (key) {
    append_quoted(text_, *key);
    text_ += compact ? ":" : ": ";
  }
  return text_;
}

void Writer::end_value() {
  if (layout_ == JsonLayout::compact) {
    return;
  }
  Frame& frame = frames_.back();
  frame.length += text_.size();
  frame.has_multi_line_part |= text_.find('\n') != std::string::npos;
  frame.parts.push_back(text_);
}

void Writer::add_text(std::optional<std::string_view> key, std::string_view text) {
  append_quoted(begin_value(key), text);
  end_value();
}

std::string Writer::rendered(std::size_t prefix) {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  const std::string_view brackets = frame.is_array ? "[]" : "{}";
  const std::size_t inside = kIndent * (frames_.size() + 1);
  const bool outermost = frames_.empty();
  const bool one_line =
      !frame.has_multi_line_part && (!outermost || frame.parts.empty()) &&
      inside - kIndent + prefix + frame.length + 2 * frame.parts.size() < kColumns;
  std::string line_break(inside + 1, ' ');
  line_break.front() = '\n';
  std::string text(1, brackets[0]);
  for (std::size_t i = 0; i < frame.parts.size(); ++i) {
    text += i == 0 ? "" : one_line ? ", " : ",";
    text += one_line ? "" : line_break;
    text += frame.parts[i];
  }
  if (!one_line) {
    text += '\n';
    text.append(inside - kIndent, ' ');
  }
  text += brackets[1];
  return text;
}

}  // namespace ridge::serialize
