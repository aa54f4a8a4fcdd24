// Files of /proc about other processes, which may end at any time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace ridge::platform {

/// All that a file descriptor gives; nullopt where reading fails, as it does for a process that has
/// ended since the file was opened.
[[nodiscard]] std::optional<std::string> read_to_end(int descriptor);

/// /proc/PID/NAME; nullopt where there is no such process any more, or it may not be read.
[[nodiscard]] std::optional<std::string> read_process_file(pid_t pid, std::string_view name);

}  // namespace ridge::platform
