// What the terminal behind a stream can show.
#pragma once

#include <cstdio>

#include "render/chart/style.hpp"

namespace ridge::cli {

[[nodiscard]] bool is_terminal(std::FILE* stream);

/// Width of the terminal; COLUMNS, then 100, when the stream is none.
[[nodiscard]] unsigned terminal_columns(std::FILE* stream);

/// Colour on a terminal without NO_COLOR and with TERM other than "dumb"; Unicode when the locale's
/// character set (LC_ALL, LC_CTYPE, LANG) is UTF-8 and `ascii` was not asked for.
[[nodiscard]] render::TextStyle text_style(std::FILE* stream, bool ascii = false);

}  // namespace ridge::cli
