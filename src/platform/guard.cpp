#include "platform/guard.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// From the fork on nothing here may allocate: another thread may have held the allocator's lock.

namespace ridge::platform {
namespace {

/// Attempts to end what will not end (a process of another user, or one stuck in the kernel).
constexpr int kEndingRounds = 3000;
constexpr timespec kBetweenRounds{0, 10'000'000};

pid_t parse_pid(const char* text) {
  pid_t pid = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    pid = 10 * pid + (*text - '0');
  }
  return *text == '\0' || *text == ' ' ? pid : 0;
}

/// From /proc/PID/stat: the name in parentheses may hold anything, so the last one counts.
pid_t parent_of(int proc, const char* process) {
  std::array<char, 1024> line{};
  const int folder = openat(proc, process, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int file = folder >= 0 ? openat(folder, "stat", O_RDONLY | O_CLOEXEC) : -1;
  close(folder);
  if (file < 0) {
    return 0;
  }
  const ssize_t got = read(file, line.data(), line.size() - 1);
  close(file);
  const char* name_end = got > 0 ? std::strrchr(line.data(), ')') : nullptr;
  return name_end != nullptr && std::strlen(name_end) > 4 ? parse_pid(name_end + 4) : 0;
}

struct DirectoryEntry {  // linux_dirent64
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[];
};

/// Those of a killed parent become our children in turn, so the direct ones are enough.
void kill_children() {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) {
    return;
  }
  const pid_t self = getpid();
  alignas(DirectoryEntry) std::array<char, 8192> buffer{};
  long got = 0;
  while ((got = syscall(SYS_getdents64, proc, buffer.data(), buffer.size())) > 0) {
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer.data() + at);
      const pid_t pid = parse_pid(entry->name);
      if (pid > 0 && parent_of(proc, entry->name) == self) {
        kill(pid, SIGKILL);
      }
      at += entry->bytes;
    }
  }
  close(proc);
}

class Guard {
 public:
  explicit Guard(const GuardTask& task) : task_(task) {}

  [[noreturn]] void run() {
    start_program();
    close_all_but_link();
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    for (const int signal : kTerminalSignals) {
      sigaddset(&watched, signal);
    }
    const int signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    while (true) {
      reap();
      std::array<pollfd, 2> waiting{{{signals, POLLIN, 0}, {task_.link, POLLIN, 0}}};
      // The limit is for the case that there is no signalfd.
      (void)poll(waiting.data(), waiting.size(), signals >= 0 ? -1 : 100);
      if (waiting[0].revents != 0) {
        take_signals(signals);
      }
      if (waiting[1].revents != 0) {
        obey();
      }
    }
  }

 private:
  void start_program() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t parent = getpid();
    program_ = fork();
    if (program_ == 0) {
      if (task_.ends_tree) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
          _exit(127);
        }
      }
      sigprocmask(SIG_SETMASK, task_.mask, nullptr);
      task_.launch->become_program(task_.report, task_.hold);
    }
    GuardReport said;
    said.kind = program_ > 0 ? GuardReport::started : GuardReport::not_forked;
    said.value = program_ > 0 ? program_ : errno;
    say(said);
    if (program_ < 0) {
      _exit(1);
    }
  }

  /// Whoever reads a pipe of ours must see its end when ridge and the program have ended; and the
  /// folder that we are in may be unmounted then.
  void close_all_but_link() {
    constexpr int kLink = 3;
    if (task_.link != kLink) {
      task_.link = dup3(task_.link, kLink, O_CLOEXEC) == kLink ? kLink : task_.link;
    }
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream < 3; ++stream) {
      if (nowhere < 0 || dup2(nowhere, stream) < 0) {
        close(stream);
      }
    }
    if (task_.link == kLink && syscall(SYS_close_range, kLink + 1, ~0U, 0) != 0) {
      for (int file = kLink + 1; file < 65536; ++file) {  // Linux before 5.9
        close(file);
      }
    }
    (void)!chdir("/");
    prctl(PR_SET_NAME, "run-guard");
  }

  void say(const GuardReport& report) const {
    while (send(task_.link, &report, sizeof report, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
  }

  void take_signals(int signals) const {
    signalfd_siginfo info{};
    while (read(signals, &info, sizeof info) == sizeof info) {
      for (std::size_t i = 0; i < kTerminalSignals.size(); ++i) {
        if (info.ssi_signo == static_cast<unsigned>(kTerminalSignals[i])) {
          task_.seen->counts[i].fetch_add(1);
        }
      }
    }
  }

  [[nodiscard]] static GuardReport with_usage(GuardReport::Kind kind) {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto microseconds = [](const timeval& time) {
      return 1'000'000 * static_cast<std::int64_t>(time.tv_sec) + time.tv_usec;
    };
    GuardReport report;
    report.kind = kind;
    report.user_microseconds = microseconds(usage.ru_utime);
    report.kernel_microseconds = microseconds(usage.ru_stime);
    report.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt);
    report.major_faults = static_cast<std::uint64_t>(usage.ru_majflt);
    return report;
  }

  void reap() {
    bool has_news = false;
    bool ended = false;
    int status = 0;
    int raw = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &raw, WNOHANG | WUNTRACED)) > 0) {
      if (pid == program_ && WIFSTOPPED(raw)) {
        GuardReport report;
        report.kind = GuardReport::stopped;
        say(report);
      } else if (pid == program_) {
        program_ = 0;
        ended = true;
        status = raw;
      }
      has_news = true;
    }
    const bool is_alone = pid < 0 && errno == ECHILD;
    if (ended) {
      GuardReport report = with_usage(GuardReport::ended);
      report.value = status;
      report.has_others = !is_alone;
      say(report);
    } else if (has_news && program_ == 0) {
      say(with_usage(GuardReport::other));
    }
    if (is_alone) {
      say(with_usage(GuardReport::alone));
      _exit(0);
    }
  }

  void obey() {
    GuardCommand command{};
    const ssize_t got = recv(task_.link, &command, sizeof command, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      return;
    }
    const bool is_told = got == sizeof command;
    if (is_told ? command == GuardCommand::end_tree : task_.ends_tree) {
      end_tree();
    }
    _exit(0);
  }

  void end_tree() {
    for (int round = 0; round < kEndingRounds; ++round) {
      if (program_ > 0) {
        kill(program_, SIGKILL);  // also where there is no /proc
      }
      kill_children();
      pid_t pid = 0;
      while ((pid = waitpid(-1, nullptr, WNOHANG)) > 0) {
        program_ = pid == program_ ? 0 : program_;  // its number may be another's from now on
      }
      if (pid < 0) {
        return;
      }
      nanosleep(&kBetweenRounds, nullptr);
    }
  }

  GuardTask task_;
  pid_t program_ = 0;
};

}  // namespace

void run_guard(const GuardTask& task) {
  Guard(task).run();
}

}  // namespace ridge::platform
