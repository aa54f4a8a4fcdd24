// Starting other programs and waiting for them. A started program sees what it would see without
// Ridge: arguments, environment, streams, signal dispositions.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace ridge::platform {

struct ExitStatus {
  std::optional<int> code;    ///< of exit()
  std::optional<int> signal;  ///< that ended it; exactly one of the two is set

  /// As a shell reports it: the code, or 128 + signal.
  [[nodiscard]] int shell_code() const { return signal ? 128 + *signal : code.value_or(0); }
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

struct ProcessOptions {
  std::vector<std::string> arguments;  ///< the first one is the program, found through PATH
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to our own
  /// File descriptors that become the streams of the program; nullopt = ours.
  std::optional<int> standard_input;
  std::optional<int> standard_output;
  std::optional<int> standard_error;
  /// Memory lies at the same addresses in every run, where the system allows it.
  bool fixed_addresses = false;
  /// Called in our process, with the process id of the child that is about to become the program
  /// and waits until this returns: who watches the program misses nothing of it. An error is that
  /// of the start; there is no program then.
  std::function<Result<void>(pid_t)> before_exec;
};

/// The file that `program` names: itself when it holds a slash, else the first match in PATH.
/// Errors (bad_input, with a hint): empty, not found, a directory, not executable.
[[nodiscard]] Result<std::string> find_program(const std::string& program);

/// A running child. Whoever drops one that still runs kills it.
class Process {
 public:
  /// Errors (bad_input): those of find_program; the file is no program; its interpreter is missing.
  /// unavailable: no memory or no process slot. Whatever before_exec says.
  [[nodiscard]] static Result<Process> start(const ProcessOptions& options);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Returns at once. nullopt while it runs. A program that stopped itself (job control) stops us
  /// too when we are in the foreground of a terminal, so that the shell takes over as usual.
  [[nodiscard]] std::optional<ExitStatus> poll();
  /// Waits until the end.
  [[nodiscard]] ExitStatus wait();
  /// Waits at most `limit`; nullopt when it still runs.
  [[nodiscard]] std::optional<ExitStatus> wait_for(std::chrono::nanoseconds limit);

 private:
  explicit Process(pid_t pid) : pid_(pid) {}

  pid_t pid_ = -1;
  std::optional<ExitStatus> status_;
};

struct Captured {
  ExitStatus status;
  std::string output;
  std::string errors;
};

/// Runs a tool to its end with empty standard input and keeps what it writes (each stream at most
/// 64 MiB, the rest is read and dropped). Errors as Process::start, and unavailable when it takes
/// longer than `limit` (it is killed then).
[[nodiscard]] Result<Captured> run_and_capture(
    const std::vector<std::string>& arguments,
    std::chrono::nanoseconds limit = std::chrono::minutes(5));

}  // namespace ridge::platform
