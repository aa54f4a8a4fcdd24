#include "serialize/json_writer.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 2;

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  append_json_escaped(out, text);
  out += '"';
  return out;
}

}  // namespace

Writer::Writer() {
  open(false);
}

void Writer::member(std::string_view key, std::string_view value) {
  add_member(key, in_quotes(value));
}

void Writer::member(std::string_view key, bool value) {
  add_member(key, value ? "true" : "false");
}

void Writer::member(std::string_view key, double value) {
  if (std::isfinite(value)) {
    add_member(key, fmt::format("{}", value));  // the shortest text that reads back exactly
  }
}

void Writer::member(std::string_view key, std::uint64_t value) {
  add_member(key, fmt::format("{}", value));
}

void Writer::member(std::string_view key, std::int64_t value) {
  add_member(key, fmt::format("{}", value));
}

void Writer::strings(std::string_view key, const std::vector<std::string>& items) {
  open(true);
  for (const std::string& item : items) {
    add(in_quotes(item));
  }
  close(key);
}

void Writer::string_lists(std::string_view key,
                          const std::vector<std::vector<std::string>>& lists) {
  open(true);
  for (const std::vector<std::string>& items : lists) {
    open(true);
    for (const std::string& item : items) {
      add(in_quotes(item));
    }
    close();
  }
  close(key);
}

template <class Number>
void Writer::add_numbers(std::string_view key, const std::vector<Number>& items) {
  open(true);
  for (const Number item : items) {
    add(fmt::format("{}", item));
  }
  close(key);
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
  std::string text = rendered(0);
  text += '\n';
  open(false);
  return text;
}

void Writer::open(bool is_array) {
  frames_.emplace_back();
  frames_.back().is_array = is_array;
}

void Writer::close(std::string_view key) {
  const std::size_t colon_and_quotes = 4;
  const std::string value = rendered(key.size() + colon_and_quotes);
  add_member(key, value);
}

void Writer::close() {
  add(rendered(0));
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

void Writer::add(std::string part) {
  Frame& frame = frames_.back();
  frame.length += part.size();
  frame.has_multi_line_part |= part.find('\n') != std::string::npos;
  frame.parts.push_back(std::move(part));
}

void Writer::add_member(std::string_view key, std::string_view rendered_value) {
  std::string part = in_quotes(key);
  part += ": ";
  part += rendered_value;
  add(std::move(part));
}

}  // namespace ridge::serialize
