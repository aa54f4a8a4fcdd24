// The roofline as a stand-alone SVG file.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/chart.hpp"
#include "render/format/svg/svg_look.hpp"

namespace ridge::render {

/// Well-formed XML with title, description and a tooltip per region; light, and dark where the
/// viewer prefers it. No scripts, no references outside itself.
[[nodiscard]] std::string roofline_svg(const Profile& profile, const Prediction& prediction,
                                       CountedWork work = CountedWork::flops);

/// The roofs of a machine alone, with the measured ones as dots, as a stand-alone file.
[[nodiscard]] std::string roofs_svg(const Machine& machine);

/// Any chart, as a stand-alone file. On paper without a dark variant.
[[nodiscard]] std::string chart_svg(const Chart& chart, const SvgLook& look = screen_look());

/// The same as an element of another picture or a page.
[[nodiscard]] std::string chart_element(const Chart& chart, const SvgLook& look = screen_look());

}  // namespace ridge::render
