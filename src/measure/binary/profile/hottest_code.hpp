// Lines and hottest block of the hottest regions of a program as it is.
#pragma once

#include <cstdint>
#include <span>

#include "core/value/profile.hpp"
#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

constexpr std::size_t kMostRegionsWithCode = 20;

/// Writes RegionCode of the regions with most time. `numbers` as binary_profile() gives them.
void add_hottest_code(Profile& profile, std::span<const std::uint32_t> numbers,
                      const ProgramCode& code, const SampledCode& samples, CodeFiles& files);

}  // namespace ridge::measure::binary
