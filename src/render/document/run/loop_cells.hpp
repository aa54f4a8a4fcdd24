// Cells of the table of loops, the same on a terminal and in Markdown.
#pragma once

#include <string>

#include "render/chart/selection.hpp"

namespace ridge::render {

/// The roof that binds; of what waits, the reason; of what sleeps or works in the kernel, that.
/// `brief`: for narrow terminals.
[[nodiscard]] std::string bound_cell(const ShownRegion& row, bool brief, bool unicode);

/// In flop/byte: "0.288"; "unb." where nothing crosses the boundary; with "?" where it is doubtful.
[[nodiscard]] std::string intensity_cell(const LevelFigures& figures);

/// Flop/s without the unit, which the title names; of what does next to none, bytes across the
/// boundary that binds.
[[nodiscard]] std::string rate_cell(const ShownRegion& row);

/// "0.288 DRAM": of what does next to no flops the level alone.
[[nodiscard]] std::string binding_cell(const ShownRegion& row, const Selection& selection);

}  // namespace ridge::render
