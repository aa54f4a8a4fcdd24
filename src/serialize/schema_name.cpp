#include "serialize/schema_name.hpp"

#include "serialize/json_reader.hpp"

namespace ridge::serialize {

Result<std::string> schema_name(std::string_view text, std::string_view file_name) {
  constexpr std::string_view kHint = "docs/formats/README.md describes the formats";
  auto document = parse_document(text, file_name);
  if (!document) {
    if (document.error().hint.empty()) {
      document.error().hint = kHint;
    }
    return tl::make_unexpected(std::move(document.error()));
  }
  Diagnostics diagnostics{std::string(file_name), std::string(kHint), std::nullopt};
  std::string name = Reader(*document, diagnostics, 0).at("schema").non_empty_text();
  if (diagnostics.first) {
    return tl::make_unexpected(std::move(*diagnostics.first));
  }
  return name;
}

}  // namespace ridge::serialize
