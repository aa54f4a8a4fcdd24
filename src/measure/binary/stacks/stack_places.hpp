// From stacks as they were copied to the places in the program's files that they go through.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "measure/binary/profile/sampled_code.hpp"
#include "measure/binary/program_code.hpp"
#include "measure/binary/record/record.hpp"
#include "platform/address_sample.hpp"
#include "platform/stack_sample.hpp"

namespace ridge::measure::binary {

/// Sets `code.stacks`, of the untouched run, and adds their places. `mappings`: what the stacks
/// refer to.
void set_timed_stacks(SampledCode& code, std::span<const platform::StackSample> stacks,
                      std::span<const platform::CodeMapping> mappings, CodeFiles& files);

/// Indices of these places, a file and an offset in it each, among those of `code`: they are added
/// where they are not there yet.
[[nodiscard]] std::vector<std::uint32_t> add_places(
    SampledCode& code, std::span<const std::pair<std::string, std::uint64_t>> places);

/// Sets `code.counted_stacks`, of the run that counts, and adds their places.
void set_counted_stacks(SampledCode& code, std::span<const Record> processes, CodeFiles& files);

}  // namespace ridge::measure::binary
