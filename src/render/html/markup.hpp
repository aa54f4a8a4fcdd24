// Small pieces of HTML. Text passed in is escaped here; names that end in `_html` are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::render::html {

/// "<h2>a &lt; b</h2>"
[[nodiscard]] std::string element(std::string_view tag, std::string_view text,
                                  std::string_view css = {});

/// A cell's content and how it stands.
struct Cell {
  std::string content_html;
  bool numeric = false;
  bool heading = false;  ///< names its row
};
[[nodiscard]] Cell text_cell(std::string_view text);
[[nodiscard]] Cell number_cell(std::string_view text);
/// A fraction with a bar of its length under the number; "-" without bar when unknown. Above 1 the
/// bar is full and marked.
[[nodiscard]] Cell bar_cell(std::string_view text, std::optional<double> fraction);

struct Heading {
  std::string text;
  bool numeric = false;
  std::string hint;  ///< tooltip, may be empty
};

/// A table in a box that scrolls sideways on narrow screens.
[[nodiscard]] std::string table(std::string_view caption, const std::vector<Heading>& headings,
                                const std::vector<std::vector<Cell>>& rows);

/// A term and its description; rows with empty description are left out.
[[nodiscard]] std::string definition(std::string_view term, std::string_view description);

/// Everything between <style> and </style>.
[[nodiscard]] std::string_view style_sheet();

}  // namespace ridge::render::html
