// The roofline as a pgfplots picture, to be read by a LaTeX document.
#pragma once

#include <string>
#include <string_view>

#include "render/chart/chart.hpp"

namespace ridge::render {

/// A tikzpicture for \input; the first lines say what the preamble needs. ASCII alone, so that
/// every LaTeX engine reads it.
[[nodiscard]] std::string tikz_picture(const Chart& chart, bool paper);

/// Text in which TeX sees no command, no group, no comment and no mathematics.
[[nodiscard]] std::string tex_text(std::string_view text);

}  // namespace ridge::render
