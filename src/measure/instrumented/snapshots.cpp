#include "measure/instrumented/snapshots.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ridge::measure {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds kFirst{1};
constexpr seconds kLongestPause{5};
/// Of one CPU at most 1/200 for snapshots, and 1/1000 of the time of whoever samples.
constexpr int kPausesPerWork = 200;
constexpr int kPausesPerFork = 1000;
constexpr int kLowPriority = 10;

nanoseconds cpu_time(const rusage& usage) {
  const auto one = [](const timeval& time) {
    return seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return one(usage.ru_utime) + one(usage.ru_stime);
}

}  // namespace

Snapshots::Snapshots(const SnapshotSink& sink, std::function<Profile()> picture)
    : sink_(sink), picture_(std::move(picture)), next_(Clock::now() + kFirst), pause_(kFirst) {}

Snapshots::~Snapshots() {
  if (copy_ > 0) {
    kill(copy_, SIGKILL);
    while (waitpid(copy_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

bool Snapshots::is_busy() {
  rusage usage{};
  const pid_t ended = copy_ > 0 ? wait4(copy_, nullptr, WNOHANG, &usage) : 0;
  if (ended != 0) {
    copy_ = -1;
    next_ = Clock::now() + std::max<nanoseconds>({pause_, kPausesPerWork * cpu_time(usage),
                                                  kPausesPerFork * fork_time_});
  }
  return copy_ > 0;
}

void Snapshots::work_in_copy() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setpriority(PRIO_PROCESS, 0, kLowPriority);
  bool is_stored = false;
  try {
    is_stored = sink_.store(picture_());
  } catch (...) {
    is_stored = false;  // out of memory: there is no snapshot this time
  }
  _exit(is_stored ? 0 : 1);
}

void Snapshots::offer() {
  const auto now = Clock::now();
  if (!sink_.store || now < next_ || is_busy() || now < next_) {
    return;
  }
  is_open_ = is_open_ || !sink_.open || sink_.open();
  if (is_open_) {
    copy_ = fork();
  }
  if (copy_ == 0) {
    work_in_copy();
  }
  fork_time_ = Clock::now() - now;
  pause_ = std::min(2 * pause_, kLongestPause);
  next_ = Clock::now() + pause_;
}

}  // namespace ridge::measure
