// One row for each region of one or several results, for spreadsheets and scripts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::render {

/// A result among others, by the name that people give it.
struct LabelledResult {
  std::string label;
  const Profile* profile = nullptr;        ///< not nullptr
  const Prediction* prediction = nullptr;  ///< likewise
  std::vector<std::uint32_t> only = {};    ///< ids of the regions to show; empty: all
};

/// RFC 4180 with line feeds, UTF-8. The first row names the columns with their units (base units,
/// so that a spreadsheet computes with them); a cell without a value means unknown. Text that a
/// spreadsheet would take for a formula gets a leading apostrophe.
[[nodiscard]] std::string region_csv(std::span<const LabelledResult> results);

/// The roofs of a machine: one row for each ceiling.
[[nodiscard]] std::string ceiling_csv(const Machine& machine);

/// One cell: quoted where RFC 4180 wants it, no formula, no control characters.
[[nodiscard]] std::string csv_text(std::string_view text);

}  // namespace ridge::render
