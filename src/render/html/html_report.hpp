// The static report: one HTML file, no scripts, no network.
#pragma once

#include <string>

#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::render {

/// Summary, chart (the SVG), tables, notes, details of the first regions, the machine's ceilings,
/// what the origins mean, and provenance. Light and dark, on paper and on narrow screens.
[[nodiscard]] std::string html_report(const Profile& profile, const Prediction& prediction);

}  // namespace ridge::render
