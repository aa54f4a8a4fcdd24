// The roofline as a gnuplot script with its data inside.
#pragma once

#include <string>
#include <string_view>

#include "render/chart/chart.hpp"

namespace ridge::render {

/// For gnuplot 5.2 or later; nothing but this text is needed. Where the picture goes is set by
/// variables, which the first lines of the script explain.
[[nodiscard]] std::string gnuplot_script(const Chart& chart, bool paper);

/// A string literal: nothing in it is a command, a macro or markup.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

}  // namespace ridge::render
