// The documents that follow from the lists of fields: JSON Schema, types for the page, and a page
// of the documentation. They are committed; a test makes them anew and compares.
#pragma once

#include <string>
#include <vector>

#include "serialize/documents/shape.hpp"

namespace ridge::serialize {

/// Formats whose files are described by lists of fields.
[[nodiscard]] std::vector<Format> described_formats();

/// "ridge.profile-2.schema.json".
[[nodiscard]] std::string schema_file_of(const Format& format);

/// JSON Schema, draft 2020-12.
[[nodiscard]] std::string json_schema(const Format& format);

/// Interfaces for web/src/data, of all formats together that the page reads.
[[nodiscard]] std::string type_script(const std::vector<Format>& formats);

/// Markdown with one table for each object.
[[nodiscard]] std::string format_page(const Format& format);

}  // namespace ridge::serialize
