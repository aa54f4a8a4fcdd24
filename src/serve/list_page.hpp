// The list of results as a page. Its script and its style are files of their own, so that the page
// needs no inline code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/store.hpp"

namespace ridge::serve {

/// `title`: the served folder. Works without the script, which only looks for new results.
[[nodiscard]] std::string list_page(const std::string& title,
                                    const std::vector<StoredEntry>& entries,
                                    const std::string& version);
[[nodiscard]] std::string_view list_script();
[[nodiscard]] std::string list_style();

/// For a value in a query: everything but letters, digits and -._ as %XX.
[[nodiscard]] std::string encoded(std::string_view text);

}  // namespace ridge::serve
