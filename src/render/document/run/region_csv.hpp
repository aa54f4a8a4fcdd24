// One row for each region of one or several results, for spreadsheets and scripts.
#pragma once

#include <span>
#include <string>

#include "render/document/run/labelled_result.hpp"

namespace ridge::render {

/// RFC 4180 with line feeds, UTF-8. The first row names the columns with their units (base units,
/// so that a spreadsheet computes with them); a cell without a value means unknown. Text that a
/// spreadsheet would take for a formula gets a leading apostrophe.
[[nodiscard]] std::string region_csv(std::span<const LabelledResult> results);

}  // namespace ridge::render
