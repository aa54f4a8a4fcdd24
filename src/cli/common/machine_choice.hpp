// Sets of machines on the command line: all, cpu, gpu, accelerator, and conditions on their
// figures.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/specification.hpp"

namespace ridge::cli {

/// `chosen` are words of --on. Those that name a set (all, cpu, gpu, accelerator) become the keys
/// of its machines in `known`, in their order; conditions ("fp64>=10T", "bandwidth>=2TB/s",
/// "cores<64", "clock>3G", "year>=2022") keep those of the sets that fulfil them all, and a machine
/// whose figure is unknown does not; other words stay. A condition without a set holds for all.
/// Peaks are the theoretical ones of vector pipes, bandwidth that of the main memory. Errors:
/// `usage` for a bad condition, `bad_input` when no machine is left of a set.
[[nodiscard]] Result<std::vector<std::string>> expand_machine_sets(
    const std::vector<std::string>& chosen, const std::vector<Specification>& known);

/// Whether a word of --on names a set or a condition.
[[nodiscard]] bool is_machine_set(const std::string& word);

}  // namespace ridge::cli
