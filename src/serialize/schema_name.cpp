#include "serialize/schema_name.hpp"

#include "serialize/json_reader.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kHint = "docs/formats/README.md describes the formats";

}  // namespace

Result<Document> parse_any(std::string_view text, std::string_view file_name) {
  return parse_document_of(text, file_name, kHint);
}

Result<std::string> schema_name(const Document& document, std::string_view file_name) {
  Diagnostics diagnostics{std::string(file_name), std::string(kHint), std::nullopt};
  std::string name = Reader(document, diagnostics, 0).at("schema").non_empty_text();
  if (diagnostics.first) {
    return tl::make_unexpected(std::move(*diagnostics.first));
  }
  return name;
}

Result<std::string> schema_name(std::string_view text, std::string_view file_name) {
  return parse_any(text, file_name).and_then([&](const Document& document) {
    return schema_name(document, file_name);
  });
}

}  // namespace ridge::serialize
