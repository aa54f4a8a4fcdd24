// Which regions of a program stand in its profile by themselves; the others are one row. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "measure/binary/profile/region_seconds.hpp"
#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

/// By region: those with time or flops, `calling` ones (numbers), and what encloses them. Where
/// another start of the program was timed (`times_elsewhere`) nobody knows here which of them have
/// time: then those that did more than next to nothing.
[[nodiscard]] std::vector<bool> chosen_regions(const ProgramCode& code, const SampledTimes& times,
                                               std::span<const std::uint32_t> calling,
                                               bool times_elsewhere);

}  // namespace ridge::measure::binary
