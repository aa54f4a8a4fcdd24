// What happens to our own signals while a measured program runs.
#pragma once

#include <array>
#include <csignal>
#include <sys/types.h>

namespace ridge::platform {

/// While one lives: SIGINT and SIGQUIT are noted (from the terminal the child gets them itself;
/// ProcessTree passes on those that were for us alone), SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are
/// passed on to the child, SIGPIPE is ignored. What ignored a signal before keeps ignoring it. At
/// most one at a time; the old dispositions come back at the end.
class SignalGuard {
 public:
  SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  ~SignalGuard();

  /// From now on signals are passed on to this process; 0 = to nobody, they are kept until the next
  /// call names one.
  static void forward_to(pid_t pid);
  /// The last signal that came in, noted or passed on; 0 = none.
  [[nodiscard]] static int last_received();
  /// How many of this signal (SIGINT, SIGQUIT) were noted since the process began.
  [[nodiscard]] static unsigned noted(int signal);
};

/// In a child between fork and exec: dispositions and mask as they were before any SignalGuard.
void restore_signals_in_child();

}  // namespace ridge::platform
