#include "platform/signals.hpp"

#include <atomic>
#include <cerrno>

namespace ridge::platform {
namespace {

constexpr std::array<int, 3> kIgnored{SIGINT, SIGQUIT, SIGPIPE};
constexpr std::array<int, 4> kForwarded{SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// Signal handlers have no other way to reach their data than process-wide variables.
std::atomic<pid_t> target{0};
std::atomic<int> pending{0};
std::atomic<int> last{0};
std::atomic<bool> guarded{false};
std::array<struct sigaction, kIgnored.size()> saved_ignored;
std::array<struct sigaction, kForwarded.size()> saved_forwarded;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void forward(int signal) {
  const int saved_errno = errno;
  last = signal;
  const pid_t pid = target;
  if (pid > 0) {
    kill(pid, signal);
  } else {
    pending = signal;
  }
  errno = saved_errno;
}

}  // namespace

SignalGuard::SignalGuard() {
  target = 0;
  pending = 0;
  last = 0;
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    struct sigaction action{};
    action.sa_handler = SIG_IGN;
    sigaction(kIgnored[i], &action, &saved_ignored[i]);
  }
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    struct sigaction action{};
    action.sa_handler = forward;
    action.sa_flags = SA_RESTART;
    sigaction(kForwarded[i], nullptr, &saved_forwarded[i]);
    if (saved_forwarded[i].sa_handler != SIG_IGN) {  // nohup stays nohup
      sigaction(kForwarded[i], &action, nullptr);
    }
  }
  guarded = true;
}

SignalGuard::~SignalGuard() {
  guarded = false;
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    sigaction(kIgnored[i], &saved_ignored[i], nullptr);
  }
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], &saved_forwarded[i], nullptr);
  }
}

void SignalGuard::forward_to(pid_t pid) {
  target = pid;
  const int waiting = pid > 0 ? pending.exchange(0) : 0;
  if (waiting != 0) {
    kill(pid, waiting);
  }
}

int SignalGuard::last_forwarded() {
  return last;
}

void restore_signals_in_child() {
  if (!guarded) {
    return;
  }
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    sigaction(kIgnored[i], &saved_ignored[i], nullptr);
  }
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], &saved_forwarded[i], nullptr);
  }
}

}  // namespace ridge::platform
