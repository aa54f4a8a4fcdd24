// A program on other machines: the table that `ridge predict RESULT` prints.
#pragma once

#include <string>

#include "core/value/profile.hpp"
#include "core/value/projection.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The whole program on each machine, the hottest loops on each, notes and assumptions.
[[nodiscard]] std::string projection_table(const Profile& profile, const Projection& projection,
                                           const TextStyle& style);

}  // namespace ridge::render
