#include "execute/run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "core/quantity/words.hpp"
#include "execute/child.hpp"
#include "execute/outcome.hpp"
#include "execute/report.hpp"
#include "platform/conditions.hpp"
#include "platform/launch.hpp"
#include "platform/quota.hpp"

namespace ridge::execute {
namespace {

using Clock = std::chrono::steady_clock;

struct Unmap {
  void operator()(Report* report) const { munmap(report, sizeof(Report)); }
};
using SharedReport = std::unique_ptr<Report, Unmap>;

SharedReport shared_report() {
  void* const memory =
      mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return SharedReport(memory == MAP_FAILED ? nullptr : new (memory) Report);
}

Result<void> check_arrays(const Call& call) {
  std::uint64_t needed = 0;
  const std::vector<const Array*> arrays = arrays_of(call);
  if (arrays.size() > kMostArrays) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} has more than {} arrays", call.symbol, kMostArrays),
                "split it into several functions");
  }
  for (const Array* array : arrays) {
    if (array->extent == 0 || array->before >= array->extent) {
      return fail(ErrorCode::bad_input, fmt::format("{} has no elements", array->name),
                  "give it an extent of at least 1");
    }
    constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
    needed = saturating_add(needed, bytes_of(*array).value_or(kNever));
  }
  const std::uint64_t known = platform::available_memory_bytes();  // 0: it is not
  const std::uint64_t available =
      std::min(known == 0 ? needed : known, platform::address_space_left());
  if (needed > available) {
    return fail(ErrorCode::unavailable,
                fmt::format("the arrays of {} take {}, of which {} are free", call.symbol,
                            binary_size(static_cast<double>(needed)),
                            binary_size(static_cast<double>(available))),
                "give it smaller sizes");
  }
  return {};
}

/// A child that is killed and waited for when this is dropped.
class Running {
 public:
  Running(pid_t pid, int errors) : pid_(pid), errors_(errors) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    kill(-pid_, SIGKILL);  // what the function started as well
    if (!is_reaped_) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(errors_);
  }

  Ended wait(Clock::time_point deadline) {
    using std::chrono::milliseconds;
    constexpr milliseconds kMostPatience{20};
    Ended ended;
    int raw = 0;
    while (true) {
      const pid_t reaped = waitpid(pid_, &raw, WNOHANG);
      if (reaped == pid_ || (reaped < 0 && errno != EINTR)) {
        is_reaped_ = true;
        read_errors(ended.errors);
        ended.status = platform::status_of(raw);
        return ended;
      }
      const auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
      if (left <= milliseconds::zero()) {
        ended.was_late = true;
        return ended;
      }
      // The end of the stream is the end of the child, unless something that it started has it.
      pollfd waiting{is_open_ ? errors_ : -1, POLLIN, 0};
      static_cast<void>(poll(&waiting, 1, static_cast<int>(std::min(left, kMostPatience).count())));
      read_errors(ended.errors);
    }
  }

 private:
  /// Keeps the beginning; what follows is dropped, so that the function need not wait.
  void read_errors(std::string& kept) {
    constexpr std::size_t kMost = 4096;
    std::array<char, 4096> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    ssize_t got = 0;
    while (is_open_ && (got = read(errors_, buffer.data(), buffer.size())) > 0) {
      kept.append(buffer.data(),
                  std::min<std::size_t>(static_cast<std::size_t>(got), kMost - kept.size()));
    }
    is_open_ = is_open_ && got != 0;
  }

  pid_t pid_;
  int errors_;
  bool is_open_ = true;
  bool is_reaped_ = false;
};

}  // namespace

Result<Measured> run(const Call& call, const platform::ClockProbe& probe) {
  if (const auto checked = check_arrays(call); !checked) {
    return tl::make_unexpected(checked.error());
  }
  const SharedReport report = shared_report();
  std::array<int, 2> errors{-1, -1};
  if (report == nullptr || pipe2(errors.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    return platform::no_pipe(errno);
  }
  std::fflush(nullptr);  // what we have not written yet must not be written twice
  const Clock::time_point deadline = Clock::now() + call.limit;
  const Parent parent{getpid(), errors[1]};
  const pid_t pid = fork();
  if (pid == 0) {
    run_child(call, probe, parent, *report);
  }
  const int error = errno;
  close(errors[1]);
  if (pid < 0) {
    close(errors[0]);
    return platform::no_process(error);
  }
  const Ended ended = Running(pid, errors[0]).wait(deadline);
  return outcome_of(call, *report, ended);
}

platform::ClockProbe checked_probe() {
  constexpr int kMostTries = 4;
  const double tsc = platform::calibrate_tsc();
  platform::ClockProbe probe(tsc);
  for (int again = 1; again < kMostTries && !probe.check().holds(); ++again) {
    probe = platform::ClockProbe(tsc);
  }
  return probe;
}

Result<Measured> run(const Call& call) {
  static const platform::ClockProbe kProbe = checked_probe();
  return run(call, kProbe);
}

}  // namespace ridge::execute
