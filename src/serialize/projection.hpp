// A projection as JSON: `ridge.projection/1`.
#pragma once

#include <string>

#include "core/value/profile.hpp"
#include "core/value/projection.hpp"

namespace ridge::serialize {

/// With the name and the time here of every region that is projected.
[[nodiscard]] std::string write_projection(const Profile& profile, const Projection& projection);

}  // namespace ridge::serialize
