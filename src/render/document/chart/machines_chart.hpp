// Roofs of machines with dots of computations and loops, as a chart.
#pragma once

#include "core/value/roofline_chart.hpp"
#include "render/chart/chart.hpp"

namespace ridge::render {

/// As many machines as there are looks but one, which dots of no machine have.
[[nodiscard]] std::size_t most_machines();

/// Of one machine: each level has its look, and so have the dots at its traffic. Of several: each
/// machine has its look, its roofs end at its peak, and its ceilings begin where its steepest roof
/// meets them. Filled dots were measured, hollow ones are what the roofs allow; those of one
/// computation on one machine are joined. Few and short names stand beside the dots, else numbers
/// with a key. Equal lines of one machine are one with both names. What has no place on the axes is
/// left out. The title is that of `data`.
[[nodiscard]] Chart machines_chart(const RooflineChart& data, bool powers_of_two = false);

}  // namespace ridge::render
