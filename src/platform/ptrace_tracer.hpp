// The thread of PtraceSampler: what it does at each stop of a traced thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <sys/types.h>
#include <sys/user.h>

#include "platform/ptrace_sampler.hpp"

namespace ridge::platform {

/// What rax has to be, where a system call was interrupted by a stop that the program must not
/// notice. Most calls are begun again by the kernel itself, or go on; these few say EINTR, which
/// without a stop only a handled signal makes them do. `registers` are those at the stop.
[[nodiscard]] unsigned long long unnoticed_result(const user_regs_struct& registers);

/// All calls by one thread, which is the tracer.
class PtraceTracer {
 public:
  PtraceTracer(const PtraceRequest& request, PtraceResults& results);

  /// Attaches to all threads of the program and its descendants. 0 or errno.
  [[nodiscard]] int seize(pid_t program);
  /// Until all of them have ended, or `stopping`. The thread ends after it, which detaches.
  void run(const std::atomic<bool>& stopping);

 private:
  struct Tracee {
    pid_t process = 0;
    bool is_asked = false;  ///< to stop, by us
  };

  [[nodiscard]] int seize_thread(pid_t thread, pid_t process);
  void begin_round();
  void on_change(pid_t thread, int status);
  void on_exec(pid_t thread, Tracee& tracee);
  void sample(pid_t thread, Tracee& tracee, bool may_mend);
  Tracee& tracee_of(pid_t thread);
  void forget(pid_t thread);

  PtraceRequest request_;
  PtraceResults& results_;
  std::map<pid_t, Tracee> tracees_;
  bool has_begun_;
  std::size_t asked_ = 0;     ///< that have not stopped yet
  std::uint64_t round_ = 0;   ///< when the last round began; nanoseconds, CLOCK_MONOTONIC
  std::uint64_t weight_ = 0;  ///< nanoseconds between the last two rounds
  std::uint64_t work_ = 0;    ///< nanoseconds of our own in this round
};

}  // namespace ridge::platform
