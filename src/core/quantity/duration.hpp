// How long something takes, as people say it.
#pragma once

#include <string>

#include "core/quantity/units.hpp"

namespace ridge {

/// Rounded: "0.4 s", "9 s", "45 s", "3 min", "2.5 h".
[[nodiscard]] std::string duration_words(Seconds duration);

/// "20 to 60 s", "40 s to 3 min"; one duration where both read the same.
[[nodiscard]] std::string duration_words(Seconds least, Seconds most);

}  // namespace ridge
