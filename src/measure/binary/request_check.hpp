// Which program and which engines a request means, and whether it can be measured by them at all.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "measure/binary/engine.hpp"
#include "measure/source.hpp"

namespace ridge::measure::binary {

/// Found through PATH. Errors: bad_input.
[[nodiscard]] Result<std::string> program_of(const Request& request);

/// In the order in which they are tried, at least one. Errors: those of usable_engines().
[[nodiscard]] Result<std::vector<const Engine*>> engines_for(const Request& request,
                                                             const std::string& program);

}  // namespace ridge::measure::binary
