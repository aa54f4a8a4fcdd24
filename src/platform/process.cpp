#include "platform/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "platform/launch.hpp"

namespace ridge::platform {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCaptureMax = std::size_t{64} << 20U;

}  // namespace

Result<Process> Process::start(const ProcessOptions& options) {
  const auto launch = Launch::prepare(options);
  if (!launch) {
    return tl::make_unexpected(launch.error());
  }
  std::array<int, 2> report{};
  ExecHold hold;
  if (!hold.open(options) || pipe2(report.data(), O_CLOEXEC) != 0) {
    return no_pipe(errno);
  }
  const pid_t pid = fork();
  if (pid == 0) {
    hold.close_our_end();
    launch->become_program(report[1], hold.child_end());
  }
  const int fork_error = errno;
  close(report[1]);
  hold.close_child_end();
  const auto called = pid > 0 ? hold.call_and_release(options, pid) : Result<void>();
  const int exec_error = pid > 0 ? read_report(report[0]) : 0;
  close(report[0]);
  if (pid < 0) {
    return no_process(fork_error);
  }
  if (exec_error != 0 || !called) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return called ? launch->exec_failure(exec_error) : tl::make_unexpected(called.error());
  }
  return Process(pid);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), status_(std::move(other.status_)) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  return *this;
}

Process::~Process() {
  if (pid_ > 0 && !status_) {
    kill(pid_, SIGKILL);
    (void)wait();
  }
}

std::optional<ExitStatus> Process::poll() {
  if (status_ || pid_ <= 0) {
    return status_;
  }
  int raw = 0;
  const pid_t changed = waitpid(pid_, &raw, WNOHANG | WUNTRACED);
  if (changed == pid_ && WIFSTOPPED(raw)) {
    follow_stop(pid_);
  } else if (changed == pid_) {
    status_ = status_of(raw);
  } else if (changed < 0 && errno == ECHILD) {
    status_ = ExitStatus{.code = 0, .signal = std::nullopt};  // our parent ignores SIGCHLD
  }
  return status_;
}

ExitStatus Process::wait() {
  while (!poll()) {
    siginfo_t info{};
    // WNOWAIT: the state is taken, and a stop followed, in poll().
    (void)waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WSTOPPED | WNOWAIT);
  }
  return *status_;
}

std::optional<ExitStatus> Process::wait_for(std::chrono::nanoseconds limit) {
  const auto end = Clock::now() + limit;
  std::chrono::nanoseconds slice = std::chrono::microseconds(200);
  while (!poll() && Clock::now() < end) {
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(slice, end - Clock::now()));
    slice = std::min<std::chrono::nanoseconds>(2 * slice, std::chrono::milliseconds(20));
  }
  return status_;
}

namespace {

struct CapturePipe {
  int read_end = -1;
  int write_end = -1;

  CapturePipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
  CapturePipe(const CapturePipe&) = delete;
  CapturePipe& operator=(const CapturePipe&) = delete;
  ~CapturePipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) {
      close(std::exchange(end, -1));
    }
  }
};

/// Takes what is there; closes the pipe at its end.
void drain(CapturePipe& pipe, std::string& into) {
  std::array<char, 65536> buffer{};
  const ssize_t got = read(pipe.read_end, buffer.data(), buffer.size());
  if (got > 0) {
    const auto room = kCaptureMax - std::min(kCaptureMax, into.size());
    into.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  } else if (got == 0 || errno != EINTR) {
    CapturePipe::close_end(pipe.read_end);
  }
}

}  // namespace

Result<Captured> run_and_capture(const std::vector<std::string>& arguments,
                                 std::chrono::nanoseconds limit) {
  CapturePipe output;
  CapturePipe errors;
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (output.read_end < 0 || errors.read_end < 0 || nothing < 0) {
    close(nothing);
    return no_pipe(errno);
  }
  auto process = Process::start({arguments, {}, nothing, output.write_end, errors.write_end});
  close(nothing);
  CapturePipe::close_end(output.write_end);
  CapturePipe::close_end(errors.write_end);
  if (!process) {
    return tl::make_unexpected(process.error());
  }
  Captured captured;
  const auto end = Clock::now() + limit;
  while ((output.read_end >= 0 || errors.read_end >= 0) && Clock::now() < end) {
    std::array<pollfd, 2> waiting{
        {{output.read_end, POLLIN, 0}, {errors.read_end, POLLIN, 0}}};  // negative: skipped
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    (void)::poll(waiting.data(), waiting.size(),
                 static_cast<int>(std::min<long>(left.count(), 1000)));
    if (waiting[0].revents != 0) {
      drain(output, captured.output);
    }
    if (waiting[1].revents != 0) {
      drain(errors, captured.errors);
    }
  }
  const auto status = process->wait_for(
      std::max<std::chrono::nanoseconds>(end - Clock::now(), std::chrono::nanoseconds(0)));
  if (!status) {
    return fail(ErrorCode::unavailable,
                fmt::format("{} did not end in time and was stopped", arguments.front()));
  }
  captured.status = *status;
  return captured;
}

}  // namespace ridge::platform
