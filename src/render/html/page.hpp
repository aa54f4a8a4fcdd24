// The interactive report: one HTML file that holds its data, loads nothing and needs no network.
#pragma once

#include <string>
#include <string_view>

namespace ridge::render {

/// The template of web/ with `page_json`, a JSON document of schema ridge.page/1, put in. Whatever
/// the strings of the document hold, it stays data: they cannot end the element they stand in.
/// Blanks between the tokens of the document are left out.
[[nodiscard]] std::string html_page(std::string_view page_json);

}  // namespace ridge::render
