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

/// Everything the child needs, made before the fork: after it only async-signal-safe calls run.
class Launch {
 public:
  /// Errors (bad_input): those of find_program. The options must outlive this.
  [[nodiscard]] static Result<Launch> prepare(const ProcessOptions& options);

  /// In the child; a failure is written to `report` as an errno.
  [[noreturn]] void become_program(int report) const;
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
