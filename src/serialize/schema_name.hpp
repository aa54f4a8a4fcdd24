// Which format a JSON text says it is: for files that may be one of several.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// A text of any format, parsed: its `*_from` function makes the value of it. Errors: `bad_input`
/// with file and line when the text is not JSON.
[[nodiscard]] Result<Document> parse_any(std::string_view text, std::string_view file_name);

/// The text of the "schema" key. Errors: `bad_input` with file and line when the root has no such
/// key.
[[nodiscard]] Result<std::string> schema_name(const Document& document, std::string_view file_name);

/// Both, of a text.
[[nodiscard]] Result<std::string> schema_name(std::string_view text, std::string_view file_name);

}  // namespace ridge::serialize
