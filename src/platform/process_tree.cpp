#include "platform/process_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "platform/launch.hpp"
#include "platform/process_files.hpp"
#include "platform/signals.hpp"

namespace ridge::platform {
namespace {

namespace fs = std::filesystem;

/// A signal to the whole process group reaches the guard too, but it must get a CPU to say so.
constexpr std::chrono::milliseconds kGuardAnswers{100};
constexpr std::chrono::milliseconds kGuardAnswersLate{2000};

void close_one(int& file) {
  if (file >= 0) {
    close(std::exchange(file, -1));
  }
}

SeenByGroup* share_memory() {
  void* memory =
      mmap(nullptr, sizeof(SeenByGroup), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) SeenByGroup{};
}

/// Blocks all signals while it lives.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// The ends of a pipe for the errno of a failed exec, and of the link to the guard.
struct Channels {
  std::array<int, 2> report{-1, -1};
  std::array<int, 2> link{-1, -1};
  ExecHold hold;

  Channels() = default;
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;
  ~Channels() {
    for (int* file : {report.data(), report.data() + 1, link.data(), link.data() + 1}) {
      close_one(*file);
    }
  }
  [[nodiscard]] bool open(const ProcessOptions& options) {
    return hold.open(options) && pipe2(report.data(), O_CLOEXEC) == 0 &&
           socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link.data()) == 0;
  }
};

pid_t fork_guard(const Launch& launch, Channels& channels, SeenByGroup* seen,
                 WhenWeDie when_we_die) {
  const AllSignalsBlocked blocked;
  const pid_t guard = fork();
  if (guard == 0) {
    close_one(channels.link[0]);
    close_one(channels.report[0]);
    channels.hold.close_our_end();
    run_guard({&launch, &blocked.before(), seen, channels.report[1], channels.hold.child_end(),
               channels.link[1], when_we_die == WhenWeDie::end_tree});
  }
  return guard;
}

struct Stat {
  pid_t parent = 0;
  char state = '?';
  std::string name;
};

std::optional<Stat> read_stat(const fs::path& process) {
  const int file = open((process / "stat").c_str(), O_RDONLY | O_CLOEXEC);
  const std::string line = file >= 0 ? read_to_end(file).value_or("") : "";
  if (file >= 0) {
    close(file);
  }
  const auto begin = line.find('(');
  const auto end = line.rfind(") ");
  if (begin == std::string::npos || end == std::string::npos || end + 4 >= line.size()) {
    return std::nullopt;
  }
  Stat stat;
  stat.name = line.substr(begin + 1, end - begin - 1);
  stat.state = line[end + 2];
  std::from_chars(line.data() + end + 4, line.data() + line.size(), stat.parent);
  return stat;
}

std::map<pid_t, Stat> all_processes() {
  std::map<pid_t, Stat> processes;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec == std::errc()) {
      if (auto stat = read_stat(entry->path())) {
        processes.emplace(pid, std::move(*stat));
      }
    }
  }
  return processes;
}

bool descends_from(const std::map<pid_t, Stat>& processes, pid_t pid, pid_t ancestor) {
  for (std::size_t steps = 0; steps < processes.size(); ++steps) {
    const auto found = processes.find(pid);
    if (found == processes.end()) {
      return false;
    }
    if (found->second.parent == ancestor) {
      return true;
    }
    pid = found->second.parent;
  }
  return false;
}

}  // namespace

Result<ProcessTree> ProcessTree::start(const ProcessOptions& options, WhenWeDie when_we_die) {
  const auto launch = Launch::prepare(options);
  if (!launch) {
    return tl::make_unexpected(launch.error());
  }
  Channels channels;
  ProcessTree tree;
  tree.seen_ = share_memory();
  if (tree.seen_ == nullptr || !channels.open(options)) {
    return no_pipe(errno);
  }
  // Before the program can run: what comes from now on is meant for it.
  for (std::size_t i = 0; i < kTerminalSignals.size(); ++i) {
    tree.interrupts_[i].noted = SignalGuard::noted(kTerminalSignals[i]);
  }
  tree.guard_ = fork_guard(*launch, channels, tree.seen_, when_we_die);
  if (tree.guard_ < 0) {
    return no_process(errno);
  }
  close_one(channels.report[1]);
  close_one(channels.link[1]);
  channels.hold.close_child_end();
  tree.link_ = std::exchange(channels.link[0], -1);
  GuardReport said;
  ssize_t got = 0;
  while ((got = recv(tree.link_, &said, sizeof said, 0)) < 0 && errno == EINTR) {
  }
  if (got != sizeof said || said.kind != GuardReport::started) {
    return no_process(got == sizeof said ? said.value : ECHILD);
  }
  tree.pid_ = said.value;
  if (auto called = channels.hold.call_and_release(options, tree.pid_); !called) {
    return tl::make_unexpected(called.error());
  }
  if (const int error = read_report(channels.report[0]); error != 0) {
    return launch->exec_failure(error);
  }
  return tree;
}

ProcessTree::ProcessTree(ProcessTree&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      guard_(std::exchange(other.guard_, -1)),
      link_(std::exchange(other.link_, -1)),
      seen_(std::exchange(other.seen_, nullptr)),
      interrupts_(other.interrupts_),
      has_others_(other.has_others_),
      ends_others_(other.ends_others_),
      status_(other.status_),
      usage_(other.usage_) {}

ProcessTree& ProcessTree::operator=(ProcessTree&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(guard_, other.guard_);
  std::swap(link_, other.link_);
  std::swap(seen_, other.seen_);
  std::swap(interrupts_, other.interrupts_);
  std::swap(has_others_, other.has_others_);
  std::swap(ends_others_, other.ends_others_);
  std::swap(status_, other.status_);
  std::swap(usage_, other.usage_);
  return *this;
}

ProcessTree::~ProcessTree() {
  end();
  if (seen_ != nullptr) {
    munmap(seen_, sizeof *seen_);
  }
}

void ProcessTree::end() {
  if (link_ >= 0) {
    const auto command = status_ && !ends_others_ ? GuardCommand::release : GuardCommand::end_tree;
    (void)!send(link_, &command, sizeof command, MSG_NOSIGNAL);
    close_one(link_);
  }
  if (guard_ > 0) {
    while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) {
    }
    guard_ = -1;
  }
}

void ProcessTree::forget_in_copy() {
  close_one(link_);
  guard_ = -1;
}

void ProcessTree::take(const GuardReport& report) {
  if (report.kind == GuardReport::stopped) {
    follow_stop(pid_);
    return;
  }
  if (report.kind == GuardReport::ended) {
    status_ = status_of(report.value);
    has_others_ = report.has_others;
  } else if (report.kind == GuardReport::alone) {
    has_others_ = false;
  }
  usage_ = {1e-6 * static_cast<double>(report.user_microseconds),
            1e-6 * static_cast<double>(report.kernel_microseconds), report.minor_faults,
            report.major_faults};
}

/// False when there was nothing to receive.
bool ProcessTree::receive(int flags) {
  if (link_ < 0) {
    return false;
  }
  GuardReport report;
  const ssize_t got = recv(link_, &report, sizeof report, flags);
  if (got == sizeof report) {
    take(report);
    return true;
  }
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
    close_one(link_);  // the guard has ended: after its work, or because somebody killed it
    if (!status_) {
      status_ = ExitStatus{.code = std::nullopt, .signal = SIGKILL};
    }
    has_others_ = false;
  }
  return false;
}

std::optional<ExitStatus> ProcessTree::poll() {
  while (receive(MSG_DONTWAIT)) {
  }
  if (!status_) {
    pass_on_interrupts();
  }
  return status_;
}

std::optional<ExitStatus> ProcessTree::wait_for(std::chrono::milliseconds limit) {
  if (!poll()) {
    pollfd waiting{link_, POLLIN, 0};
    (void)::poll(&waiting, 1, static_cast<int>(limit.count()));
  }
  return poll();
}

bool ProcessTree::has_others() {
  while (receive(MSG_DONTWAIT)) {
  }
  return has_others_;
}

std::vector<LivingProcess> ProcessTree::living() const {
  std::vector<LivingProcess> living;
  if (guard_ <= 0) {
    return living;
  }
  const auto processes = all_processes();
  for (const auto& [pid, stat] : processes) {
    const bool has_ended = stat.state == 'Z' || stat.state == 'X' || stat.state == 'x';
    if (!has_ended && descends_from(processes, pid, guard_)) {
      living.push_back({pid, stat.name});
    }
  }
  return living;
}

/// The guard has got the signal, but no CPU yet.
bool ProcessTree::has_pending(int signal) const {
  std::ifstream file(fmt::format("/proc/{}/status", guard_));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:")) {
      const auto bits = std::strtoull(line.c_str() + 7, nullptr, 16);
      if ((bits >> (static_cast<unsigned>(signal) - 1U) & 1U) != 0) {
        return true;
      }
    }
  }
  return false;
}

/// As the terminal does, to those in the foreground: our process group. It may hold whoever started
/// us, so only the program's own get it.
void ProcessTree::interrupt(int signal) const {
  kill(pid_, signal);
  for (const LivingProcess& process : living()) {
    if (process.pid != pid_ && getpgid(process.pid) == getpgrp()) {
      kill(process.pid, signal);
    }
  }
}

/// Ctrl-C goes to the whole process group, the program included; `kill -INT` to us alone. The guard
/// is in the group, so what it has not seen was for us alone.
void ProcessTree::pass_on_interrupts() {
  for (std::size_t i = 0; i < kTerminalSignals.size(); ++i) {
    const int signal = kTerminalSignals[i];
    Interrupt& known = interrupts_[i];
    const unsigned noted = SignalGuard::noted(signal);
    if (noted == known.noted) {
      continue;
    }
    const auto now = Clock::now();
    known.since = known.since.value_or(now);
    const unsigned seen = seen_->counts[i];
    const auto waited = now - *known.since;
    const bool is_open =
        seen == known.seen &&
        (waited < kGuardAnswers || (waited < kGuardAnswersLate && has_pending(signal)));
    if (is_open) {
      continue;
    }
    if (seen == known.seen) {
      interrupt(signal);
    }
    known = {noted, seen, std::nullopt};
  }
}

}  // namespace ridge::platform
