// Loops under the roofs, with arrows from each result to the next.
#pragma once

#include <string>
#include <vector>

#include "core/value/comparison.hpp"
#include "core/value/profile.hpp"

namespace ridge::render {

/// A stand-alone SVG file: the roofs of the last result's machine; for each notable loop an arrow
/// at its memory traffic, through all results that know both rate and intensity; below it a key
/// with name, times and bounds. `profiles` are those of Comparison::results.
[[nodiscard]] std::string comparison_svg(const Comparison& comparison,
                                         const std::vector<const Profile*>& profiles);

}  // namespace ridge::render
