// PDF and PNG, made from an SVG by a program of its own (docs/decisions/0135).
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::cli {

/// ../lib/ridge/ridge-picture beside this program.
[[nodiscard]] std::string picture_program_path();

/// `kind` is "pdf" or "png"; `date` (ISO 8601) becomes the PDF's. Errors: `unavailable` when
/// `program` is not there (built without librsvg) or does not start; `bad_input` when the picture
/// cannot be drawn.
[[nodiscard]] Result<std::string> picture_of(std::string_view svg, std::string_view kind,
                                             const std::string& date, const std::string& program);

}  // namespace ridge::cli
