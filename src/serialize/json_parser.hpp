// Reads any JSON text and says what is wrong with one that is refused. Ten times as slow as the
// scanner (json_scanner.hpp), which comes first.
#pragma once

#include <string_view>

#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// As parse_document, of at most 2 GiB.
[[nodiscard]] Result<Document> parse_with_reasons(std::string_view text, std::string_view file_name,
                                                  JsonNull null);

}  // namespace ridge::serialize
