// How evenly threads shared a region, in words.
#pragma once

#include <string>

#include "core/value/profile.hpp"

namespace ridge::render {

/// "busiest of 4 threads: 1.74x the mean flops, 1.70x the mean CPU time"; empty when neither is
/// known.
[[nodiscard]] std::string balance_words(const Region& region, bool unicode = true);

/// Work or CPU time is so uneven that a table says so.
[[nodiscard]] bool is_uneven(const Region& region);

}  // namespace ridge::render
