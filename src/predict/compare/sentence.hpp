// A step of a comparison in one sentence that holds whatever is unknown.
#pragma once

#include <cstddef>
#include <string>

#include "core/value/comparison.hpp"

namespace ridge::predict {

/// "1.9x faster (1.20 s, 0.63 s): jacobi moved from DRAM-bound to L2-bound; its traffic at DRAM
/// fell by 48 %". Needs the program, loops and notes of the step in place.
[[nodiscard]] std::string sentence_of(const Comparison& comparison, std::size_t step);

}  // namespace ridge::predict
