// The source `binary`: any program as it is. It runs untouched and is sampled for time, runs again
// under an engine that counts, and once more under an engine that simulates.
#pragma once

#include <string>

#include "core/result.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

[[nodiscard]] Result<void> check_binary(const Request& request);
[[nodiscard]] Result<Profile> measure_binary(const Request& request, const Machine& machine);

/// What `--engine list` prints: each with what it does, what it needs, and whether it is here.
[[nodiscard]] std::string engine_list();

}  // namespace ridge::measure
