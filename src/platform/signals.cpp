#include "platform/signals.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace ridge::platform {
namespace {

constexpr std::array<int, 1> kIgnored{SIGPIPE};
constexpr std::array<int, 2> kNoted{SIGINT, SIGQUIT};
constexpr std::array<int, 4> kForwarded{SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// Signal handlers have no other way to reach their data than process-wide variables.
std::atomic<pid_t> target{0};
std::atomic<int> pending{0};
std::atomic<int> last{0};
std::atomic<bool> guarded{false};
std::array<struct sigaction, kIgnored.size()> saved_ignored;
std::array<struct sigaction, kNoted.size()> saved_noted;
std::array<struct sigaction, kForwarded.size()> saved_forwarded;
std::array<std::atomic<unsigned>, kNoted.size()> counts;
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

void note(int signal) {
  last = signal;
  for (std::size_t i = 0; i < kNoted.size(); ++i) {
    counts[i] += signal == kNoted[i] ? 1U : 0U;
  }
}

/// What ignored a signal before keeps ignoring it: nohup stays nohup.
template <std::size_t Count>
void handle(const std::array<int, Count>& signals, std::array<struct sigaction, Count>& saved,
            void (*handler)(int)) {
  for (std::size_t i = 0; i < Count; ++i) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signals[i], nullptr, &saved[i]);
    if (saved[i].sa_handler != SIG_IGN) {
      sigaction(signals[i], &action, nullptr);
    }
  }
}

template <std::size_t Count>
void restore(const std::array<int, Count>& signals,
             const std::array<struct sigaction, Count>& saved) {
  for (std::size_t i = 0; i < Count; ++i) {
    sigaction(signals[i], &saved[i], nullptr);
  }
}

void restore_all() {
  restore(kIgnored, saved_ignored);
  restore(kNoted, saved_noted);
  restore(kForwarded, saved_forwarded);
}

}  // namespace

SignalGuard::SignalGuard() {
  target = 0;
  pending = 0;
  last = 0;
  handle(kIgnored, saved_ignored, SIG_IGN);
  handle(kNoted, saved_noted, note);
  handle(kForwarded, saved_forwarded, forward);
  guarded = true;
}

SignalGuard::~SignalGuard() {
  guarded = false;
  restore_all();
}

void SignalGuard::forward_to(pid_t pid) {
  target = pid;
  const int waiting = pid > 0 ? pending.exchange(0) : 0;
  if (waiting != 0) {
    kill(pid, waiting);
  }
}

int SignalGuard::last_received() {
  return last;
}

unsigned SignalGuard::noted(int signal) {
  const auto* const found = std::find(kNoted.begin(), kNoted.end(), signal);
  return found == kNoted.end() ? 0U
                               : counts[static_cast<std::size_t>(found - kNoted.begin())].load();
}

void restore_signals_in_child() {
  if (guarded) {
    restore_all();
  }
}

}  // namespace ridge::platform
