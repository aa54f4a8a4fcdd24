// Pages without scripts: one HTML file that loads nothing, light and dark, with a picture and
// tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::render {

/// Clean text, not yet escaped.
struct PageTable {
  std::string title;
  std::vector<std::string> heading;
  std::size_t words = 1;  ///< columns from the left that hold words; the others stand at the right
  std::vector<std::vector<std::string>> rows;
};

/// The whole document. Title and lead are escaped here, `body` is not; empty lead: none. A policy
/// in its head lets no script run and nothing be loaded.
[[nodiscard]] std::string static_page(std::string_view title, std::string_view lead,
                                      std::string_view body);

/// An SVG element of its own in a frame that scrolls where it is wider than the window.
[[nodiscard]] std::string page_figure(std::string_view svg);

/// With its title; empty without rows.
[[nodiscard]] std::string page_table(const PageTable& table);

/// With its title; empty without items. Items are escaped here.
[[nodiscard]] std::string page_list(std::string_view title, std::string_view css,
                                    const std::vector<std::string>& items);

}  // namespace ridge::render
