// Text that comes from measured programs is hostile: names, paths and arguments may hold control
// characters, broken UTF-8 or markup. Everything printed passes through here first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::render {

/// Valid UTF-8 without control characters (C0, C1), direction overrides and non-characters, each
/// replaced by U+FFFD; tab and line ends become a space. With `unicode` false everything outside
/// ASCII becomes "?".
[[nodiscard]] std::string clean(std::string_view text, bool unicode = true);

/// Several lines, `clean` each; with `colours`, sequences that set colours (SGR) stay.
[[nodiscard]] std::string clean_lines(std::string_view text, bool colours);

/// `clean` plus the five markup characters as entities: safe as XML and HTML text and as an
/// attribute value in quotes.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// Terminal columns of clean UTF-8: wide East Asian characters count 2, combining marks 0.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// At most `width` columns; what does not fit is taken out of the middle, marked by an ellipsis
/// ("..." without `unicode`), since both ends of a name or path tell more than its middle.
[[nodiscard]] std::string shorten_middle(std::string_view text, std::size_t width,
                                         bool unicode = true);

/// At most `width` columns; what does not fit is taken from the end, marked by an ellipsis.
[[nodiscard]] std::string shorten_end(std::string_view text, std::size_t width,
                                      bool unicode = true);

/// Words into lines of at most `width` columns; a longer word is cut. At least one line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Padded with spaces to `width` columns; longer text is returned as it is.
[[nodiscard]] std::string pad_right(std::string text, std::size_t width);
[[nodiscard]] std::string pad_left(std::string text, std::size_t width);

}  // namespace ridge::render
