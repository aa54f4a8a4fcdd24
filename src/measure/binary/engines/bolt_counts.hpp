// The counts of a program that BOLT instrumented, function by function.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "machine_code/elf_image.hpp"
#include "measure/binary/engines/bolt_flow.hpp"
#include "measure/binary/engines/bolt_tables.hpp"

namespace ridge::measure::binary {

struct BoltCounts {
  std::vector<CountedBlock> blocks;    ///< by address, apart from one another
  std::vector<std::string> uncounted;  ///< functions that BOLT left out, or of which the counts of
                                       ///< some blocks do not follow from what was counted
};

/// Of all functions in sections .text of the program as it was before. `names` as
/// bolt_function_names gives them.
[[nodiscard]] BoltCounts count_blocks(
    const machine_code::ElfImage& program, const BoltTables& tables,
    const std::map<std::string, std::uint64_t, std::less<>>& names,
    std::span<const std::uint64_t> counters);

}  // namespace ridge::measure::binary
