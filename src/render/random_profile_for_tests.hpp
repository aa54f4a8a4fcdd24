// Profiles of every kind of crowd, for properties of pictures.
#pragma once

#include "core/value/profile.hpp"

namespace ridge::render::fixture {

/// 1 to 80 loops, the same for the same seed: rates and intensities in a heap or over decades,
/// times equal or skewed, levels that nothing crosses, names of 2 to 40 letters; roofs and ceilings
/// apart or close together.
[[nodiscard]] Profile random_profile(unsigned seed);

}  // namespace ridge::render::fixture
