// Processes and threads as /proc shows them, for samplers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "platform/address_sample.hpp"

namespace ridge::platform {

/// The threads of a process, ascending; empty when it is gone.
[[nodiscard]] std::vector<pid_t> threads_of(pid_t process);
/// The process and those that descend from it, as far as they can be seen.
[[nodiscard]] std::vector<pid_t> processes_from(pid_t process);
/// The process of a thread; nullopt when it is gone.
[[nodiscard]] std::optional<pid_t> process_of(pid_t thread);

/// As /proc has it: R, S, D, T, t, Z, ...; nullopt when it is gone.
[[nodiscard]] std::optional<char> state_of(pid_t process, pid_t thread);
/// From a line as in /proc/PID/stat.
[[nodiscard]] std::optional<char> parse_state(std::string_view stat);
/// The user address at which a thread waits, from a line as in /proc/PID/task/TID/syscall. nullopt
/// for one that runs, or has no user memory.
[[nodiscard]] std::optional<std::uint64_t> parse_waiting_address(std::string_view syscall);

/// Looks at the threads that wait for something, not too often.
class Sleepers {
 public:
  Sleepers();
  /// One sample for each thread of these processes that sleeps now, without mapping. Nothing when
  /// the last look was too short ago: 10 ms, or 20 times as long as it took.
  [[nodiscard]] std::vector<AddressSample> look(const std::vector<pid_t>& processes);

 private:
  std::uint64_t last_ = 0;  ///< nanoseconds, CLOCK_MONOTONIC
  std::uint64_t next_ = 0;
};

}  // namespace ridge::platform
