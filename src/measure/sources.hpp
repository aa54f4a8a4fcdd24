// The table of sources. One more source = a folder beside this file and one entry in sources.cpp.
#pragma once

#include <span>

#include "measure/source.hpp"

namespace ridge::measure {

/// In order of preference: choose_source() takes the first that can. Never empty.
[[nodiscard]] std::span<const Source> sources();

}  // namespace ridge::measure
