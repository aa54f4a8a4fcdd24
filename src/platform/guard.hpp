// The small process between ridge and a measured program. It is the parent of the program and of
// every descendant that loses its own parent, so that whoever must end the whole tree finds it.
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

#include "platform/launch.hpp"

namespace ridge::platform {

/// Signals of the terminal: the guard is in our process group, so what it gets, the program got.
inline constexpr std::array<int, 2> kTerminalSignals{SIGINT, SIGQUIT};

/// Memory shared with the guard.
struct SeenByGroup {
  std::array<std::atomic<unsigned>, kTerminalSignals.size()> counts;
};
static_assert(std::atomic<unsigned>::is_always_lock_free);

/// What the guard says, one packet each.
struct GuardReport {
  enum Kind : std::uint8_t {
    started,     ///< value: the process id of the program
    not_forked,  ///< value: errno
    stopped,     ///< the program, by a signal
    ended,       ///< the program; value: as wait(2) has it
    other,       ///< some other process, after the program
    alone,       ///< no descendant is left; the guard ends
  };
  Kind kind = started;
  bool has_others = false;  ///< ended: descendants still live
  int value = 0;
  /// ended, other, alone: of all processes that have ended and were waited for.
  std::int64_t user_microseconds = 0;
  std::int64_t kernel_microseconds = 0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
};

/// What the guard is told. When we are gone it decides by GuardTask::ends_tree.
enum class GuardCommand : std::uint8_t {
  release,  ///< end, and let the descendants live
  end_tree  ///< kill all of them, then end
};

struct GuardTask {
  const Launch* launch = nullptr;
  const sigset_t* mask = nullptr;  ///< what the program shall have; all signals are blocked now
  SeenByGroup* seen = nullptr;
  int report = -1;        ///< for Launch::become_program
  int hold = -1;          ///< likewise
  int link = -1;          ///< a socket that keeps packets apart
  bool ends_tree = true;  ///< when whoever holds the other end of the link is gone
};

/// Starts the program and stays until it and its descendants have ended, or until told otherwise.
/// To be called in a process just forked; allocates nothing.
[[noreturn]] void run_guard(const GuardTask& task);

}  // namespace ridge::platform
