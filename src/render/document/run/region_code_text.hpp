// The code of a region for the terminal: its source with figures by line, its hottest block of
// machine code.
#pragma once

#include <optional>
#include <string>

#include "core/value/region.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Source lines around the region with the flops and bytes of each, then other lines that its code
/// comes from, most work first, then how far all of them sum to the region's figures. `source`: the
/// text of the region's file; without it the lines have no text. Empty where neither lines nor
/// figures are known. Each line ends in a line feed.
[[nodiscard]] std::string source_text(const Region& region,
                                      const std::optional<std::string>& source,
                                      const TextStyle& style);

/// Machine instructions with what one execution of each does; at most 40, the rest of the stored
/// ones counted. Empty where they are not known.
[[nodiscard]] std::string block_text(const Region& region, const TextStyle& style);

}  // namespace ridge::render
