// Names of code that a runtime made while the program ran (Java, Julia, LuaJIT, node).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine_code/address_range.hpp"

namespace ridge::measure::binary {

struct MadeFunction {
  machine_code::AddressRange range;  ///< in memory
  std::string name;

  friend bool operator==(const MadeFunction&, const MadeFunction&) = default;
};

/// Of the text of /tmp/perf-PID.map, which runtimes write for perf: a line for each function, begin
/// and size in hexadecimal digits, then its name. By address. Lines that are none are left out; of
/// functions that lie over one another the later line holds, since memory is used again.
[[nodiscard]] std::vector<MadeFunction> parse_perf_map(std::string_view text);

/// Empty where nothing is known of `address`.
[[nodiscard]] std::string_view made_name(const std::vector<MadeFunction>& functions,
                                         std::uint64_t address);

}  // namespace ridge::measure::binary
