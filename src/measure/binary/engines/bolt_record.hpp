// Counts of a program that BOLT instrumented as a record (abi/record.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/elf_image.hpp"
#include "measure/binary/engines/bolt_counts.hpp"

namespace ridge::measure::binary {

/// What abi/bolt_counters.h describes.
struct BoltCounters {
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::vector<std::uint64_t> counters;
  std::string arguments;  ///< as in /proc/self/cmdline
};

/// Error (bad_input): the file is cut short, or of something else.
[[nodiscard]] Result<BoltCounters> read_bolt_counters(std::span<const std::uint8_t> file);

/// The bytes of a record: the program's mappings at the addresses of the file, blocks with the code
/// of the file, executions of all threads together. `path` names the program as it was.
[[nodiscard]] std::vector<std::uint8_t> bolt_record(const machine_code::ElfImage& program,
                                                    std::string_view path,
                                                    const BoltCounters& process,
                                                    const BoltCounts& counts);

}  // namespace ridge::measure::binary
