// Which process of the run for traffic is which of the first. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "measure/instrumented/decode.hpp"

namespace ridge::measure {

/// Of each process of the first run that of the second: a rank by its rank and its program, of
/// several such the n-th by the n-th; others by the order in which they began.
[[nodiscard]] std::vector<std::optional<std::size_t>> pair_processes(
    const std::vector<RawProcess>& first, const std::vector<RawProcess>& second);

}  // namespace ridge::measure
