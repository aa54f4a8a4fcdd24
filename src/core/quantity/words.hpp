// Numbers with their word, as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

/// "1 thread", "2 threads", "0 threads".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view word);

/// Binary size of a memory: "32 KiB", "1 MiB", "1.5 MiB".
[[nodiscard]] std::string binary_size(double bytes);

}  // namespace ridge
