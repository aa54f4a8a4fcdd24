// Sourced facts about CPUs: machines/microarchitectures.json, `ridge.microarchitectures/1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::serialize {

/// Refuses, besides malformed values, two entries that match the same CPUID and pipe groups that
/// name an unknown operation or one operation twice.
[[nodiscard]] Result<std::vector<Microarchitecture>> parse_microarchitectures(
    std::string_view text, std::string_view file_name);

[[nodiscard]] std::string write_microarchitectures(std::vector<Microarchitecture> entries);

/// machines/microarchitectures.json as it was when Ridge was built: part of the program, read
/// from no file.
[[nodiscard]] const std::vector<Microarchitecture>& known_microarchitectures();

}  // namespace ridge::serialize
