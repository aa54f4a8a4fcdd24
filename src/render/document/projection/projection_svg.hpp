// A program on other machines as a roofline with one roof per machine.
#pragma once

#include <string>

#include "core/value/profile.hpp"
#include "core/value/projection.hpp"
#include "render/chart/chart.hpp"

namespace ridge::render {

/// Roofs of the memory and the peak of this machine and of the six fastest others; each of the
/// hottest loops with its measured dot here and a calibrated one there.
[[nodiscard]] Chart projection_chart(const Profile& profile, const Projection& projection);

/// The same as a stand-alone SVG file.
[[nodiscard]] std::string projection_svg(const Profile& profile, const Projection& projection);

}  // namespace ridge::render
