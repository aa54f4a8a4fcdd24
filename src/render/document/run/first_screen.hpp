// The beginning of a terminal's summary: the verdict, what to do next, and what ran for how long.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// At most 22 lines: a verdict of at most three, at most five steps of two or three each, and one
/// with program, wall time and machine. What does not fit is cut at its end.
[[nodiscard]] std::string first_screen(const Profile& profile, const Prediction& prediction,
                                       const TextStyle& style);

/// "1.1 to 1.4x", "up to 1.4x", "at most 1.4x", "about 1.3x": of a step; empty where its gain is
/// not known.
[[nodiscard]] std::string step_gain(const NextStep& step);

}  // namespace ridge::render
