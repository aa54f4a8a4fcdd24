// Which format a JSON text says it is: for files that may be one of several.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::serialize {

/// The text of the "schema" key. Errors: `bad_input` with file and line when the text is not JSON
/// or its root has no such key.
[[nodiscard]] Result<std::string> schema_name(std::string_view text, std::string_view file_name);

}  // namespace ridge::serialize
