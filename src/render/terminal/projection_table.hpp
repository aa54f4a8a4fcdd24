// A program on other machines: the table that `ridge predict RESULT` prints.
#pragma once

#include <string>

#include "core/profile.hpp"
#include "core/projection.hpp"
#include "render/style.hpp"

namespace ridge::render {

/// The whole program on each machine, the hottest loops on each, notes and assumptions.
[[nodiscard]] std::string projection_table(const Profile& profile, const Projection& projection,
                                           const TextStyle& style);

}  // namespace ridge::render
