#include "platform/stop_signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace ridge::platform {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

// Signal handlers have no other way to reach their data than process-wide variables.
std::atomic<int> first{0};
std::array<struct sigaction, kSignals.size()> saved;
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) {
  int none = 0;
  first.compare_exchange_strong(none, signal);
}

}  // namespace

StopSignals::StopSignals() {
  first = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(kSignals[i], nullptr, &saved[i]);
    if (saved[i].sa_handler != SIG_IGN) {
      sigaction(kSignals[i], &action, nullptr);
    }
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &saved[i], nullptr);
  }
}

int StopSignals::received() {
  return first;
}

}  // namespace ridge::platform
