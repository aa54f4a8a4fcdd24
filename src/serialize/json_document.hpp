// A JSON text as a tree that remembers the line of every value, so that a bad value is reported as
// "machine.json:12: caches[1].size_bytes must be positive, is -3".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "serialize/json_keys.hpp"

namespace ridge::serialize {

enum class JsonKind : std::uint8_t {
  object,
  array,
  string,
  boolean,
  natural,  ///< a whole number from 0 to 2^64-1
  negative_integer,
  real,
  null,  ///< only where the caller keeps it
};

/// Files of Ridge leave out what is unknown; those of others may say null.
enum class JsonNull : std::uint8_t { refused, kept };

/// "an object", "a string" ... for messages.
[[nodiscard]] std::string_view describe(JsonKind kind);

/// Nodes in document order, node 0 is the root; nodes are linked by index.
class Document {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = UINT32_MAX;
  /// Deeper nesting is refused: no Ridge file needs more than 8 levels.
  static constexpr std::size_t kMaxDepth = 64;

  /// 32 bytes: a result of 10 000 regions has 900 000 of them.
  struct Node {
    JsonKind kind = JsonKind::object;
    std::uint32_t line = 1;  ///< where the value (an object or array: its bracket) stands
    Index parent = kNone;
    Index first_child = kNone;
    Index next_sibling = kNone;
    JsonKeys::Id key = JsonKeys::kNone;  ///< of a member
    union {
      TextRange text;  ///< string: in the string pool
      bool boolean;
      std::uint64_t natural;
      std::int64_t negative_integer;
      double real = 0.0;
    };
  };

  [[nodiscard]] const Node& node(Index index) const { return nodes_[index]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::string_view key(Index index) const;
  /// The value of a string node.
  [[nodiscard]] std::string_view text(Index index) const;
  /// kNone when the object has no such key.
  [[nodiscard]] Index member(Index object, std::string_view key) const;
  /// "regions[3].calls["odd key"]"; empty for the root.
  [[nodiscard]] std::string path(Index index) const;

 private:
  friend class DocumentBuilder;

  std::vector<Node> nodes_;
  std::string pool_;
  JsonKeys keys_;
};

/// Refuses, with file, line and column: syntax errors, truncated text, text that is not UTF-8, NaN
/// and Infinity; with file, line and path: null, duplicate keys, nesting beyond kMaxDepth. Never
/// throws on bad input. The error's hint is left to the caller where there is nothing special to
/// say.
[[nodiscard]] Result<Document> parse_document(std::string_view text, std::string_view file_name,
                                              JsonNull null = JsonNull::refused);

/// `text` in double quotes, escaped and cut to about 60 characters: safe to print on a terminal.
[[nodiscard]] std::string quote_for_message(std::string_view text);

}  // namespace ridge::serialize
