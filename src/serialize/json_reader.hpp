// Reads typed values out of a Document. The first error is kept and everything after it yields
// defaults, so that the code of a value type reads like the format it describes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// What all readers of one file share.
struct Diagnostics {
  std::string file_name;
  std::string hint;            ///< for errors that have no special one
  std::optional<Error> first;  ///< of the errors found
};

/// A value in the document. Cheap to copy; the document and the diagnostics must outlive it. An
/// absent reader stands for a missing key and yields defaults without an error.
class Reader {
 public:
  Reader(const Document& document, Diagnostics& diagnostics, Document::Index node)
      : document_(&document), diagnostics_(&diagnostics), node_(node) {}

  [[nodiscard]] bool absent() const { return node_ == Document::kNone; }
  [[nodiscard]] bool ok() const { return !diagnostics_->first; }
  /// Of a value that is not absent.
  [[nodiscard]] JsonKind kind() const { return document_->node(node_).kind; }

  /// The value of `key`: an error when it is missing / an absent reader when it is missing.
  [[nodiscard]] Reader at(std::string_view key) const;
  [[nodiscard]] Reader find(std::string_view key) const;
  [[nodiscard]] std::vector<Reader> items() const;
  [[nodiscard]] std::vector<std::pair<std::string, Reader>> members() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string non_empty_text() const;
  [[nodiscard]] bool flag() const;
  /// A whole number. A float that is whole and below 2^53 is accepted, as JSON Schema does.
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] std::uint64_t count_between(std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] unsigned natural() const;   ///< 0 to 2^32-1
  [[nodiscard]] unsigned positive() const;  ///< 1 to 2^32-1
  [[nodiscard]] std::int64_t integer_between(std::int64_t least, std::int64_t most) const;
  [[nodiscard]] double real() const;
  [[nodiscard]] double non_negative_real() const;
  [[nodiscard]] double positive_real() const;

  /// One of `values`, spelled as to_string spells it.
  template <class E>
  [[nodiscard]] E choice(std::initializer_list<E> values) const;
  template <class E>
  [[nodiscard]] E choice(std::span<const E> values) const;

  /// Of a member's value: which of `values` its key names; nullopt, with an error, where it is
  /// none.
  template <class E>
  [[nodiscard]] std::optional<E> key_choice(std::span<const E> values, std::string_view key) const;

  /// Keeps "FILE:LINE: PATH what" unless an error was kept before.
  void fail(std::string_view what, std::string_view hint = {}) const;

 private:
  template <class E>
  [[nodiscard]] static std::vector<std::string_view> texts_of(std::span<const E> values) {
    std::vector<std::string_view> texts;
    for (const E value : values) {
      texts.push_back(to_string(value));
    }
    return texts;
  }

  [[nodiscard]] bool expect(JsonKind kind) const;
  [[nodiscard]] bool expect_number() const;
  [[nodiscard]] std::string spelled() const;
  void fail_choice(const std::vector<std::string_view>& allowed) const;
  void fail_key_choice(const std::vector<std::string_view>& allowed) const;

  const Document* document_;
  Diagnostics* diagnostics_;
  Document::Index node_;
};

/// nullopt for an absent value: `optional_from(cpu.find("host"), &Reader::text)`.
template <class Read>
[[nodiscard]] auto optional_from(const Reader& value, Read read)
    -> std::optional<std::decay_t<std::invoke_result_t<Read, const Reader&>>> {
  if (value.absent()) {
    return std::nullopt;
  }
  return std::invoke(read, value);
}

/// One value for each element of an array.
template <class Read>
[[nodiscard]] auto list_from(const Reader& array, Read read)
    -> std::vector<std::decay_t<std::invoke_result_t<Read, const Reader&>>> {
  std::vector<std::decay_t<std::invoke_result_t<Read, const Reader&>>> values;
  for (const Reader& item : array.items()) {
    values.push_back(std::invoke(read, item));
  }
  return values;
}

/// What `read` makes of the root, once its "schema" key is `schema` ("ridge.machine/1") or `older`.
/// `hint`: of errors that have no special one.
template <class Read>
[[nodiscard]] auto read_document(const Document& document, std::string_view file_name,
                                 std::string_view schema, std::string_view hint, Read read,
                                 std::string_view older = {})
    -> Result<std::decay_t<std::invoke_result_t<Read, const Reader&>>>;

/// parse_document with a hint for every error.
[[nodiscard]] Result<Document> parse_document_of(std::string_view text, std::string_view file_name,
                                                 std::string_view hint);

/// Both: from the text to the value.
template <class Read>
[[nodiscard]] auto read_file(std::string_view text, std::string_view file_name,
                             std::string_view schema, std::string_view hint, Read read,
                             std::string_view older = {})
    -> Result<std::decay_t<std::invoke_result_t<Read, const Reader&>>>;

/// An error unless `object` says "schema": `schema`, or `older` where there is such a version.
void check_schema(const Reader& object, std::string_view schema, std::string_view older = {});

template <class E>
E Reader::choice(std::initializer_list<E> values) const {
  return choice(std::span<const E>(values.begin(), values.size()));
}

template <class E>
E Reader::choice(std::span<const E> values) const {
  const std::string_view spelling = expect(JsonKind::string) ? document_->text(node_) : "";
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](E value) { return to_string(value) == spelling; });
  if (found != values.end()) {
    return *found;
  }
  fail_choice(texts_of(values));
  return values.front();
}

template <class E>
std::optional<E> Reader::key_choice(std::span<const E> values, std::string_view key) const {
  const auto found =
      std::find_if(values.begin(), values.end(), [&](E value) { return to_string(value) == key; });
  if (found != values.end()) {
    return *found;
  }
  fail_key_choice(texts_of(values));
  return std::nullopt;
}

template <class Read>
auto read_document(const Document& document, std::string_view file_name, std::string_view schema,
                   std::string_view hint, Read read, std::string_view older)
    -> Result<std::decay_t<std::invoke_result_t<Read, const Reader&>>> {
  Diagnostics diagnostics{std::string(file_name), std::string(hint), std::nullopt};
  const Reader root(document, diagnostics, 0);
  check_schema(root, schema, older);
  if (!diagnostics.first) {
    auto value = std::invoke(read, root);
    if (!diagnostics.first) {
      return value;
    }
  }
  return tl::make_unexpected(std::move(*diagnostics.first));
}

template <class Read>
auto read_file(std::string_view text, std::string_view file_name, std::string_view schema,
               std::string_view hint, Read read, std::string_view older)
    -> Result<std::decay_t<std::invoke_result_t<Read, const Reader&>>> {
  const auto document = parse_document_of(text, file_name, hint);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  return read_document(*document, file_name, schema, hint, std::move(read), older);
}

}  // namespace ridge::serialize
