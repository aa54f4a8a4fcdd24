#include "serialize/json_document.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>

#include "serialize/json_parser.hpp"
#include "serialize/json_scanner.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {

std::string_view describe(JsonKind kind) {
  constexpr std::array<std::string_view, 8> names{"an object",     "an array", "a string",
                                                  "true or false", "a number", "a number",
                                                  "a number",      "null"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string quote_for_message(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const bool cut = text.size() > kLongest;
  return fmt::format("\"{}{}\"", escape_for_message(text.substr(0, kLongest)), cut ? "..." : "");
}

std::string_view Document::key(Index index) const {
  return keys_.text(nodes_[index].key);
}

std::string_view Document::text(Index index) const {
  const Node& value = nodes_[index];
  return std::string_view(pool_).substr(value.text.offset, value.text.length);
}

Document::Index Document::member(Index object, std::string_view key) const {
  const JsonKeys::Id wanted = keys_.find(key);
  Index child = wanted == JsonKeys::kNone ? kNone : nodes_[object].first_child;
  while (child != kNone && nodes_[child].key != wanted) {
    child = nodes_[child].next_sibling;
  }
  return child;
}

std::string Document::path(Index index) const {
  const Index parent = nodes_[index].parent;
  if (parent == kNone) {
    return "";
  }
  if (nodes_[parent].kind == JsonKind::array) {
    std::size_t position = 0;
    for (Index child = nodes_[parent].first_child; child != index;
         child = nodes_[child].next_sibling) {
      ++position;
    }
    return fmt::format("{}[{}]", path(parent), position);
  }
  const std::string_view name = key(index);
  const bool plain = !name.empty() && name.size() <= 60 &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '/';
                     });
  const std::string outer = path(parent);
  if (!plain) {
    return fmt::format("{}[{}]", outer, quote_for_message(name));
  }
  return outer.empty() ? std::string(name) : fmt::format("{}.{}", outer, name);
}

Result<Document> parse_document(std::string_view text, std::string_view file_name, JsonNull null) {
  constexpr std::size_t kLargest = std::size_t{1} << 31;  // offsets, lines and indices have 32 bits
  if (text.size() > kLargest) {
    return fail(ErrorCode::bad_input, fmt::format("{}: larger than 2 GiB", file_name));
  }
  if (auto document = scan_document(text, null)) {
    return std::move(*document);
  }
  return parse_with_reasons(text, file_name, null);
}

}  // namespace ridge::serialize
