// What happens to our own signals while a measured program runs.
#pragma once

#include <array>
#include <csignal>
#include <sys/types.h>

namespace ridge::platform {

/// While one lives: the terminal's SIGINT and SIGQUIT are left to the child (it gets them itself),
/// SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are passed on to it, SIGPIPE is ignored. What ignored a
/// signal before keeps ignoring it. At most one at a time; the old dispositions come back at the
/// end.
class SignalGuard {
 public:
  SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  ~SignalGuard();

  /// From now on signals are passed on to this process; 0 = to nobody, they are kept until the next
  /// call names one.
  static void forward_to(pid_t pid);
  /// The last signal of the SIGTERM kind that came in, 0 = none.
  [[nodiscard]] static int last_forwarded();
};

/// In a child between fork and exec: dispositions and mask as they were before any SignalGuard.
void restore_signals_in_child();

}  // namespace ridge::platform
