// Reads a well-formed JSON text quickly, and says nothing about one that is not.
#pragma once

#include <optional>
#include <string_view>

#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// The document, or nullopt where anything is unusual: what is no JSON, null that is refused, a key
/// that stands twice, nesting beyond kMaxDepth, a number that no double holds, a byte order mark.
/// Then the complete parser (json_parser.hpp) decides, and says what is wrong.
[[nodiscard]] std::optional<Document> scan_document(std::string_view text, JsonNull null);

}  // namespace ridge::serialize
