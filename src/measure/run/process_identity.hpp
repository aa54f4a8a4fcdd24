// Who a process is: its command line, and its rank where it is one of a parallel program.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ridge::measure {

struct ProcessIdentity {
  std::vector<std::string> argv;
  std::optional<int> rank;  ///< in MPI_COMM_WORLD

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// nullopt once the process is gone, or where it is not ours to look at.
[[nodiscard]] std::optional<ProcessIdentity> read_process_identity(pid_t pid);

}  // namespace ridge::measure
