// Puts a Document together, value by value, as a parser comes upon them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// Values go into the object or array that is open; the first one is the root.
class DocumentBuilder {
 public:
  using Index = Document::Index;

  /// Room for the values of a text of so many bytes.
  void expect_bytes(std::size_t bytes);

  /// Of the member that comes next.
  void key(std::string_view text) { pending_key_ = document_.keys_.id_of(text); }

  Index null(std::uint32_t line) { return add(JsonKind::null, line); }
  void boolean(std::uint32_t line, bool value);
  void natural(std::uint32_t line, std::uint64_t value);
  void negative_integer(std::uint32_t line, std::int64_t value);
  void real(std::uint32_t line, double value);
  void string(std::uint32_t line, std::string_view value);

  /// Opens an object or array.
  Index open(std::uint32_t line, JsonKind kind);
  /// Closes it. Of an object in which a key stands twice: the second member of that key; else
  /// kNone.
  Index close();

  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] Document take() { return std::move(document_); }

 private:
  struct Open {
    Index node = Document::kNone;
    Index last_child = Document::kNone;
  };

  Index add(JsonKind kind, std::uint32_t line);
  Document::Node& last() { return document_.nodes_.back(); }
  [[nodiscard]] Index duplicate_key(Index object);

  Document document_;
  std::vector<Open> open_;
  JsonKeys::Id pending_key_ = JsonKeys::kNone;
  std::vector<Index> seen_in_;  // by key: the object that closed last with it
};

}  // namespace ridge::serialize
