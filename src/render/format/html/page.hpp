// The interactive report: one HTML file that holds its data, loads nothing and needs no network.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::render {

/// Of each result and each of its regions, in the order of the document: may the reader see the
/// page before the browser has read this one? Never so of the first region of a result. Results and
/// regions beyond the end may not.
using LaterRegions = std::vector<std::vector<bool>>;

/// The template of web/ with `page_json`, a JSON document of schema ridge.page/1, put in. Whatever
/// the strings of the document hold, it stays data: they cannot end the element they stand in.
/// Blanks between the tokens of the document are left out. Later regions stand behind the script,
/// one a line, packed (packed.hpp); a line break marks the place of each in the document
/// (web/src/data/parts.ts).
[[nodiscard]] std::string html_page(std::string_view page_json, const LaterRegions& later = {});

}  // namespace ridge::render
