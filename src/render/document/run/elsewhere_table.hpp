// Traffic on the caches of other machines, beside that of this one.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// For the hottest regions, and the whole program, one row per set of caches: bytes across each
/// boundary and flop per byte of memory traffic. Empty when nothing was simulated elsewhere.
[[nodiscard]] std::string elsewhere_table(const Profile& profile, const Prediction& prediction,
                                          const TextStyle& style);

}  // namespace ridge::render
