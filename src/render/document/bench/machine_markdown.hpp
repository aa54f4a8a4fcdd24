// The roofs of a machine as Markdown that GitHub shows.
#pragma once

#include <string>
#include <string_view>

#include "core/value/machine.hpp"

namespace ridge::render {

/// The chief figures of a machine and all its ceilings.
[[nodiscard]] std::string markdown_machine(const Machine& machine, std::string_view title);

}  // namespace ridge::render
