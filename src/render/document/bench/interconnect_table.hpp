// How fast ranks exchange messages, in a terminal.
#pragma once

#include <string>

#include "core/value/interconnect.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// One row for each link: latency (p10), bandwidth (p90) and the least message that reaches half of
/// it.
[[nodiscard]] std::string interconnect_table(const Interconnect& interconnect,
                                             const TextStyle& style);

/// One row for each size: the median time of each link.
[[nodiscard]] std::string interconnect_sizes(const Interconnect& interconnect,
                                             const TextStyle& style);

}  // namespace ridge::render
