// The roofs of a machine for spreadsheets and scripts.
#pragma once

#include <string>

#include "core/value/machine.hpp"

namespace ridge::render {

/// One row for each ceiling, in base units.
[[nodiscard]] std::string ceiling_csv(const Machine& machine);

}  // namespace ridge::render
