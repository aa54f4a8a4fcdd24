#include "platform/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <string_view>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "platform/signals.hpp"

extern char** environ;

namespace ridge::platform {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCaptureMax = std::size_t{64} << 20U;
/// A stop by the terminal reaches us too; only a child that stays stopped longer stopped alone.
constexpr std::chrono::milliseconds kStopSettles{20};

enum class FileKind { missing, directory, not_executable, executable };

FileKind classify(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) {
    return errno == EACCES ? FileKind::not_executable : FileKind::missing;
  }
  if (S_ISDIR(info.st_mode)) {
    return FileKind::directory;
  }
  return access(path.c_str(), X_OK) == 0 ? FileKind::executable : FileKind::not_executable;
}

Result<std::string> describe(const std::string& program, const std::string& path, FileKind kind) {
  switch (kind) {
    case FileKind::executable:
      return path;
    case FileKind::directory:
      return fail(ErrorCode::bad_input, fmt::format("{} is a directory, not a program", program),
                  "Name the program itself.");
    case FileKind::not_executable:
      return fail(ErrorCode::bad_input, fmt::format("{} is not executable", path),
                  fmt::format("`chmod +x {}` if it is a program.", path));
    case FileKind::missing:
      break;
  }
  return fail(ErrorCode::bad_input, fmt::format("program {} not found", program),
              program.find('/') == std::string::npos
                  ? fmt::format("It is in none of the folders of PATH; for a program in this "
                                "folder write ./{}",
                                program)
                  : "Check the path.");
}

/// Our environment with `added` in place of what has the same names.
std::vector<std::string> merged_environment(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& pair) {
      return text.starts_with(pair.first) && text.substr(pair.first.size()).starts_with('=');
    });
    if (!replaced) {
      merged.emplace_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    merged.push_back(name + "=" + value);
  }
  return merged;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything the child needs, made before the fork: after it only async-signal-safe calls run.
struct Launch {
  std::string path;
  std::vector<char*> arguments;
  std::vector<char*> shell_arguments;  ///< for a script without "#!", as execvp does
  std::vector<char*> environment;
  std::array<std::optional<int>, 3> streams;
  bool fixed_addresses = false;
};

/// Copies of the given descriptors above 2, so that no dup2 below destroys a source.
bool install_streams(const Launch& launch) {
  std::array<int, 3> sources{-1, -1, -1};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (launch.streams[i]) {
      sources[i] = fcntl(*launch.streams[i], F_DUPFD_CLOEXEC, 3);
      if (sources[i] < 0) {
        return false;
      }
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] >= 0 && dup2(sources[i], static_cast<int>(i)) < 0) {
      return false;
    }
  }
  return true;
}

/// Some containers forbid it: the program then runs as ever.
void fix_addresses() {
  constexpr unsigned long kAsk = 0xffffffff;
  if (const int now = personality(kAsk); now >= 0) {
    personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
}

[[noreturn]] void become_program(const Launch& launch, int report) {
  restore_signals_in_child();
  if (launch.fixed_addresses) {
    fix_addresses();
  }
  if (install_streams(launch)) {
    execve(launch.path.c_str(), launch.arguments.data(), launch.environment.data());
    if (errno == ENOEXEC) {
      execve("/bin/sh", launch.shell_arguments.data(), launch.environment.data());
      errno = ENOEXEC;
    }
  }
  const int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

tl::unexpected<Error> exec_failure(const std::string& path, int error) {
  if (error == ENOENT) {
    return fail(ErrorCode::bad_input, fmt::format("{}: its interpreter does not exist", path),
                "Look at the first line of the script (\"#!\"), or at `readelf -l` for a program.");
  }
  if (error == ENOEXEC) {
    return fail(ErrorCode::bad_input, fmt::format("{} is no program for this machine", path),
                "`file` says what it is.");
  }
  if (error == EACCES || error == EPERM) {
    return fail(ErrorCode::bad_input, fmt::format("{}: {}", path, std::strerror(error)),
                "The file, its interpreter or its file system (noexec) forbids running it.");
  }
  return fail(ErrorCode::unavailable,
              fmt::format("cannot start {}: {}", path, std::strerror(error)),
              error == E2BIG ? "Arguments and environment are too long." : "");
}

ExitStatus status_of(int raw) {
  if (WIFSIGNALED(raw)) {
    return {.code = std::nullopt, .signal = WTERMSIG(raw)};
  }
  return {.code = WEXITSTATUS(raw), .signal = std::nullopt};
}

bool in_terminal_foreground() {
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    return false;
  }
  const bool foreground = tcgetpgrp(terminal) == getpgrp();
  close(terminal);
  return foreground;
}

/// waitpid reports a stop once; the state says whether it lasts.
bool is_stopped(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(") ");
  return name_end != std::string::npos && line.compare(name_end + 2, 1, "T") == 0;
}

/// The errno of a failed exec, or 0 once the program runs (exec closed the pipe).
int read_report(int report) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(report, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

}  // namespace

Result<std::string> find_program(const std::string& program) {
  if (program.empty()) {
    return fail(ErrorCode::bad_input, "the name of the program is empty",
                "Name it after `--`: ridge run -- ./program");
  }
  if (program.find('/') != std::string::npos) {
    return describe(program, program, classify(program));
  }
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  std::string worst_path = program;
  FileKind worst = FileKind::missing;
  for (bool more = true; more;) {
    const auto colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    more = colon != std::string_view::npos;
    rest.remove_prefix(more ? colon + 1 : rest.size());
    const std::string path = (folder.empty() ? "." : folder) + "/" + program;
    const FileKind kind = classify(path);
    if (kind == FileKind::executable) {
      return path;
    }
    if (kind == FileKind::not_executable && worst == FileKind::missing) {
      worst = kind;
      worst_path = path;
    }
  }
  return describe(program, worst_path, worst);
}

Result<Process> Process::start(const ProcessOptions& options) {
  const auto path = find_program(options.arguments.empty() ? "" : options.arguments.front());
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  const auto environment = merged_environment(options.environment);
  std::vector<std::string> shell_words{"/bin/sh", *path};
  shell_words.insert(shell_words.end(), options.arguments.begin() + 1, options.arguments.end());
  const Launch launch{*path,
                      pointers_to(options.arguments),
                      pointers_to(shell_words),
                      pointers_to(environment),
                      {options.standard_input, options.standard_output, options.standard_error},
                      options.fixed_addresses};
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) {
    return fail(ErrorCode::unavailable, fmt::format("cannot open a pipe: {}", std::strerror(errno)),
                "Raise the limit of open files (`ulimit -n`).");
  }
  const pid_t pid = fork();
  if (pid == 0) {
    become_program(launch, report[1]);
  }
  const int fork_error = errno;
  close(report[1]);
  const int exec_error = pid > 0 ? read_report(report[0]) : 0;
  close(report[0]);
  if (pid < 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot start a process: {}", std::strerror(fork_error)),
                "Raise the limit of processes (`ulimit -u`) or free some memory.");
  }
  if (exec_error != 0) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return exec_failure(*path, exec_error);
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

void Process::follow_stop() {
  if (!in_terminal_foreground()) {
    return;
  }
  std::this_thread::sleep_for(kStopSettles);
  if (is_stopped(pid_)) {
    raise(SIGSTOP);
    kill(pid_, SIGCONT);
  }
}

std::optional<ExitStatus> Process::poll() {
  if (status_ || pid_ <= 0) {
    return status_;
  }
  int raw = 0;
  const pid_t changed = waitpid(pid_, &raw, WNOHANG | WUNTRACED);
  if (changed == pid_ && WIFSTOPPED(raw)) {
    follow_stop();
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
    return fail(ErrorCode::unavailable, fmt::format("cannot open a pipe: {}", std::strerror(errno)),
                "Raise the limit of open files (`ulimit -n`).");
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
