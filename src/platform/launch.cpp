#include "platform/launch.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string_view>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "platform/signals.hpp"

extern char** environ;

namespace ridge::platform {
namespace {

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

/// Some containers forbid it: the program then runs as ever.
void fix_addresses() {
  constexpr unsigned long kAsk = 0xffffffff;
  if (const int now = personality(kAsk); now >= 0) {
    personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
}

bool is_released(int hold) {
  char word = 0;
  ssize_t got = 0;
  do {
    got = read(hold, &word, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
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

ExecHold::~ExecHold() {
  close_our_end();
  close_child_end();
}

bool ExecHold::open(const ProcessOptions& options) {
  // No pipe: whoever writes to a child that has been killed would be killed by SIGPIPE.
  return !options.before_exec ||
         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) == 0;
}

void ExecHold::close_our_end() {
  if (ends_[0] >= 0) {
    close(std::exchange(ends_[0], -1));
  }
}

void ExecHold::close_child_end() {
  if (ends_[1] >= 0) {
    close(std::exchange(ends_[1], -1));
  }
}

Result<void> ExecHold::call_and_release(const ProcessOptions& options, pid_t child) {
  if (!options.before_exec) {
    return {};
  }
  auto done = options.before_exec(child);
  if (done) {
    (void)!send(ends_[0], "", 1, MSG_NOSIGNAL);
  }
  close_our_end();
  return done;
}

Result<Launch> Launch::prepare(const ProcessOptions& options) {
  auto path = find_program(options.arguments.empty() ? "" : options.arguments.front());
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  Launch launch;
  launch.path_ = std::move(*path);
  launch.environment_texts_ = merged_environment(options.environment);
  launch.shell_words_ = {"/bin/sh", launch.path_};
  launch.shell_words_.insert(launch.shell_words_.end(), options.arguments.begin() + 1,
                             options.arguments.end());
  launch.arguments_ = pointers_to(options.arguments);
  launch.shell_arguments_ = pointers_to(launch.shell_words_);
  launch.environment_ = pointers_to(launch.environment_texts_);
  launch.streams_ = {options.standard_input, options.standard_output, options.standard_error};
  launch.fixed_addresses_ = options.fixed_addresses;
  return launch;
}

/// Copies of the given descriptors above 2, so that no dup2 below destroys a source.
bool Launch::install_streams() const {
  std::array<int, 3> sources{-1, -1, -1};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (streams_[i]) {
      sources[i] = fcntl(*streams_[i], F_DUPFD_CLOEXEC, 3);
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

void Launch::become_program(int report, int hold) const {
  restore_signals_in_child();
  if (hold >= 0 && !is_released(hold)) {
    _exit(127);
  }
  if (fixed_addresses_) {
    fix_addresses();
  }
  if (install_streams()) {
    execve(path_.c_str(), arguments_.data(), environment_.data());
    if (errno == ENOEXEC) {
      execve("/bin/sh", shell_arguments_.data(), environment_.data());
      errno = ENOEXEC;
    }
  }
  const int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

tl::unexpected<Error> Launch::exec_failure(int error) const {
  const std::string& path = path_;
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

/// The errno of a failed exec, or 0 once the program runs (exec closed the pipe).
int read_report(int report) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(report, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

tl::unexpected<Error> no_process(int error) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot start a process: {}", std::strerror(error)),
              "Raise the limit of processes (`ulimit -u`) or free some memory.");
}

tl::unexpected<Error> no_pipe(int error) {
  return fail(ErrorCode::unavailable, fmt::format("cannot open a pipe: {}", std::strerror(error)),
              "Raise the limit of open files (`ulimit -n`).");
}

ExitStatus status_of(int raw) {
  if (WIFSIGNALED(raw)) {
    return {.code = std::nullopt, .signal = WTERMSIG(raw)};
  }
  return {.code = WEXITSTATUS(raw), .signal = std::nullopt};
}

void follow_stop(pid_t pid) {
  if (!in_terminal_foreground()) {
    return;
  }
  std::this_thread::sleep_for(kStopSettles);
  if (is_stopped(pid)) {
    raise(SIGSTOP);
    kill(pid, SIGCONT);
  }
}

}  // namespace ridge::platform
