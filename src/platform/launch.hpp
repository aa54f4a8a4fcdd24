// How a program is started: what Process and ProcessTree share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/result.hpp"
#include "platform/process.hpp"

namespace ridge::platform {

/// Keeps a forked child from its exec until its parent has called before_exec.
class ExecHold {
 public:
  ExecHold() = default;
  ExecHold(const ExecHold&) = delete;
  ExecHold& operator=(const ExecHold&) = delete;
  ~ExecHold();

  /// Before the fork; does nothing where nothing is to be called. False: errno says why.
  [[nodiscard]] bool open(const ProcessOptions& options);
  /// In the child, and in every process between us and it: the end that only we may hold.
  void close_our_end();
  /// In our process, after the fork.
  void close_child_end();
  /// What the child waits on; -1 when it need not.
  [[nodiscard]] int child_end() const { return ends_[1]; }
  /// In our process: calls before_exec, and lets the child go on unless that fails.
  [[nodiscard]] Result<void> call_and_release(const ProcessOptions& options, pid_t child);

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Everything the child needs, made before the fork: after it only async-signal-safe calls run.
class Launch {
 public:
  /// Errors (bad_input): those of find_program. The options must outlive this.
  [[nodiscard]] static Result<Launch> prepare(const ProcessOptions& options);

  /// In the child; a failure is written to `report` as an errno. Waits on `hold` before, unless it
  /// is -1, and ends silently when nobody releases it.
  [[noreturn]] void become_program(int report, int hold) const;
  /// The program could not be started: `error` is what became_program reported.
  [[nodiscard]] tl::unexpected<Error> exec_failure(int error) const;

 private:
  Launch() = default;
  [[nodiscard]] bool install_streams() const;

  std::string path_;
  std::vector<std::string> environment_texts_;
  std::vector<std::string> shell_words_;
  std::vector<char*> arguments_;
  std::vector<char*> shell_arguments_;  ///< for a script without "#!", as execvp does
  std::vector<char*> environment_;
  std::array<std::optional<int>, 3> streams_;
  bool fixed_addresses_ = false;
};

/// The errno of a failed exec, or 0 once the program runs (exec closed the pipe).
[[nodiscard]] int read_report(int report);
[[nodiscard]] tl::unexpected<Error> no_process(int error);
[[nodiscard]] tl::unexpected<Error> no_pipe(int error);

/// From what wait(2) says.
[[nodiscard]] ExitStatus status_of(int raw);

/// The program `pid` has stopped itself (job control): stops us too when we are in the foreground
/// of a terminal, so that the shell takes over as usual.
void follow_stop(pid_t pid);

}  // namespace ridge::platform
