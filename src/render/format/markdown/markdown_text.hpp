// Text that Markdown shows as it is.
#pragma once

#include <string>
#include <string_view>

namespace ridge::render {

/// Shown letter by letter in a sentence or a cell: no markup, no HTML, no new cell.
[[nodiscard]] std::string markdown_text(std::string_view text);

/// A name, set as code: GitHub then makes no mention, link or emoji of it.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// A document without empty lines at its end.
[[nodiscard]] std::string trimmed(std::string text);

}  // namespace ridge::render
