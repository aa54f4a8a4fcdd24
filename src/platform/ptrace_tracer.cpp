#include "platform/ptrace_tracer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

#include "platform/task_files.hpp"

namespace ridge::platform {
namespace {

constexpr long kOptions =
    PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
/// Our work for a round is at most this part of the time to the next: with hundreds of threads they
/// are sampled less often instead of being slowed down.
constexpr std::uint64_t kWorkPart = 20;
/// errno values of the kernel that no program ever sees.
constexpr long long kRestartUnlessHandled = 514;  // ERESTARTNOHAND

/// Those that end with EINTR at any stop, and have done nothing then, so that they can be begun
/// again. See signal(7), "Interruption of system calls and library functions by stop signals".
constexpr std::array<long long, 19> kEndedByStops{
    SYS_epoll_wait, SYS_epoll_pwait,  SYS_epoll_pwait2,    SYS_semop,         SYS_semtimedop,
    SYS_read,       SYS_readv,        SYS_write,           SYS_writev,        SYS_recvfrom,
    SYS_recvmsg,    SYS_recvmmsg,     SYS_sendto,          SYS_sendmsg,       SYS_accept,
    SYS_accept4,    SYS_io_getevents, SYS_rt_sigtimedwait, SYS_io_uring_enter};

bool is_stop_of_job_control(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

void go_on(pid_t thread, int signal) {
  (void)ptrace(PTRACE_CONT, thread, nullptr, static_cast<long>(signal));  // ESRCH: killed meanwhile
}

}  // namespace

unsigned long long unnoticed_result(const user_regs_struct& registers) {
  const auto call = static_cast<long long>(registers.orig_rax);
  const bool is_ended =
      static_cast<long long>(registers.rax) == -EINTR &&
      std::find(kEndedByStops.begin(), kEndedByStops.end(), call) != kEndedByStops.end();
  return is_ended ? static_cast<unsigned long long>(-kRestartUnlessHandled) : registers.rax;
}

PtraceTracer::PtraceTracer(const PtraceRequest& request, PtraceResults& results)
    : request_(request), results_(results), has_begun_(!request.from_exec) {}

int PtraceTracer::seize_thread(pid_t thread, pid_t process) {
  if (tracees_.contains(thread)) {
    return 0;
  }
  if (ptrace(PTRACE_SEIZE, thread, nullptr, kOptions) != 0) {
    return errno;
  }
  tracees_[thread] = {process, false};
  if (has_begun_) {
    const std::scoped_lock lock(results_.mutex);
    results_.processes.insert(process);
  }
  return 0;
}

int PtraceTracer::seize(pid_t program) {
  int failure = ESRCH;
  // What is started by a thread that is not traced yet shows up in the next pass.
  for (std::size_t before = 0; tracees_.empty() || before != tracees_.size();) {
    before = tracees_.size();
    for (const pid_t process : processes_from(program)) {
      for (const pid_t thread : threads_of(process)) {
        const int error = seize_thread(thread, process);
        if (process == program && thread == program) {
          failure = error;
        }
      }
    }
    if (failure != 0) {
      return failure;
    }
  }
  round_ = monotonic_nanoseconds();
  return 0;
}

PtraceTracer::Tracee& PtraceTracer::tracee_of(pid_t thread) {
  const auto found = tracees_.find(thread);
  if (found != tracees_.end()) {
    return found->second;
  }
  Tracee& tracee = tracees_[thread];  // traced from its start
  tracee.process = process_of(thread).value_or(thread);
  if (has_begun_) {
    const std::scoped_lock lock(results_.mutex);
    results_.processes.insert(tracee.process);
  }
  return tracee;
}

void PtraceTracer::forget(pid_t thread) {
  const auto found = tracees_.find(thread);
  if (found == tracees_.end()) {
    return;
  }
  const Tracee gone = found->second;
  asked_ -= gone.is_asked ? 1 : 0;
  tracees_.erase(found);
  const bool has_more = std::any_of(tracees_.begin(), tracees_.end(), [&](const auto& other) {
    return other.second.process == gone.process;
  });
  if (!has_more) {
    const std::scoped_lock lock(results_.mutex);
    results_.processes.erase(gone.process);
    results_.looked_at.erase(gone.process);
    results_.spaces.forget(gone.process);
  }
}

/// The other threads are gone, and the one that called it has the number of the process.
void PtraceTracer::on_exec(pid_t thread, Tracee& tracee) {
  unsigned long former = 0;
  (void)ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &former);
  if (static_cast<pid_t>(former) != thread && former != 0) {
    forget(static_cast<pid_t>(former));
  }
  has_begun_ = true;
  const std::scoped_lock lock(results_.mutex);
  results_.processes.insert(tracee.process);
  results_.spaces.forget(tracee.process);
  results_.looked_at.erase(tracee.process);
}

void PtraceTracer::sample(pid_t thread, Tracee& tracee, bool may_mend) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0) {
    return;
  }
  AddressSample sample;
  sample.nanoseconds = monotonic_nanoseconds();
  sample.weight_nanoseconds = weight_;
  sample.pid = tracee.process;
  sample.tid = thread;
  sample.address = registers.rip;
  sample.in_kernel = static_cast<long long>(registers.orig_rax) >= 0;
  const unsigned long long result = unnoticed_result(registers);
  if (may_mend && result != registers.rax) {
    registers.rax = result;
    (void)ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
  }
  const std::scoped_lock lock(results_.mutex);
  results_.add(sample);
}

void PtraceTracer::on_change(pid_t thread, int status) {
  if (!WIFSTOPPED(status)) {
    forget(thread);
    return;
  }
  const int event = status >> 16;
  const int signal = WSTOPSIG(status);
  Tracee& tracee = tracee_of(thread);
  if (event == PTRACE_EVENT_EXEC) {
    on_exec(thread, tracee);
  }
  const bool is_group_stop = event == PTRACE_EVENT_STOP && is_stop_of_job_control(signal);
  // Any stop is the one that was asked for: the kernel makes no second one.
  if (std::exchange(tracee.is_asked, false)) {
    --asked_;
    if (!is_group_stop) {
      sample(thread, tracee, event == PTRACE_EVENT_STOP);
    }
  }
  if (is_group_stop) {
    (void)ptrace(PTRACE_LISTEN, thread, nullptr, nullptr);
  } else {
    go_on(thread, event == 0 ? signal : 0);
  }
}

void PtraceTracer::begin_round() {
  const std::uint64_t now = monotonic_nanoseconds();
  weight_ = now - round_;
  round_ = now;
  work_ = 0;
  if (!has_begun_) {
    return;
  }
  for (auto& [thread, tracee] : tracees_) {
    const char state = state_of(tracee.process, thread).value_or('?');
    const bool is_wanted = state == 'R' || (request_.stops_sleepers && state == 'S');
    if (is_wanted && !tracee.is_asked && ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == 0) {
      tracee.is_asked = true;
      ++asked_;
    }
  }
}

void PtraceTracer::run(const std::atomic<bool>& stopping) {
  const auto interval = static_cast<std::uint64_t>(request_.interval.count());
  // A stop that was asked for has to be seen to its end, for the sake of what it interrupted.
  while (!stopping || asked_ > 0) {
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (thread < 0 && errno != EINTR) {
      return;  // all have ended
    }
    const std::uint64_t begin = monotonic_nanoseconds();
    if (thread > 0) {
      on_change(thread, status);
    }
    // EINTR: the timer of our thread. A program that keeps us busy hides it.
    if (!stopping && begin >= round_ + std::max(interval, kWorkPart * work_)) {
      begin_round();
    }
    work_ += monotonic_nanoseconds() - begin;
  }
}

}  // namespace ridge::platform
