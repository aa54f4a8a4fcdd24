// Which regions of a long run the report shows first.
#pragma once

#include <vector>

#include "core/value/profile.hpp"

namespace ridge::cli {

/// Of each region of `profile`: is it none of the 250 that take the most time themselves, so that
/// readers may see the page before the browser has read it? Empty where all may come at once: below
/// 500 regions, and where shares, threads and precision do not follow from the program as a whole
/// but only from all regions.
[[nodiscard]] std::vector<bool> later_regions(const Profile& profile);

}  // namespace ridge::cli
