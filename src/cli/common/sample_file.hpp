// The samples of a characterisation as JSON lines, for `ridge bench --raw`.
#pragma once

#include <string>

#include "bench/characterise.hpp"

namespace ridge::cli {

/// One line: {"id","unit","rates":[...],"clocks_hertz":[...],"burst_cycles":[...],"visits":[...],
/// "kept":[0|1,...],"thrown_away"}. Rates in `unit` per second as asked for by the loop, all
/// threads together; lists are in the order of time. Ends with a line feed.
[[nodiscard]] std::string sample_line(const bench::RawSamples& raw);

}  // namespace ridge::cli
