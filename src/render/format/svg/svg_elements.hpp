// Placed things as SVG elements, in the classes of the roofline's style.
#pragma once

#include <string>

#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {

/// Each ended by a line feed; text is escaped here.
[[nodiscard]] std::string line_element(const PlacedLine& line);
[[nodiscard]] std::string text_element(const PlacedText& text);
[[nodiscard]] std::string mark_element(const PlacedMark& mark);

}  // namespace ridge::render
