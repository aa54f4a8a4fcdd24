// Standard input for two runs of one program: the first reads the real one, the second the same
// bytes again.
#pragma once

#include <atomic>
#include <optional>
#include <sys/types.h>
#include <thread>

#include "core/result.hpp"

namespace ridge::measure {

/// What the second run reads.
enum class InputKind {
  file,       ///< opened anew at the offset where the first run began
  relayed,    ///< a pipe or a socket: kept in a temporary file while the first run reads
  inherited,  ///< a device such as /dev/null: both read the real one
  empty,      ///< a terminal, or closed: the second run reads end-of-file
};

/// Used in this order: first_input(), start(), the first run, stop(), second_input().
class InputReplay {
 public:
  /// Looks at `input` (0 in production). Error (unavailable): no pipe or no temporary file.
  [[nodiscard]] static Result<InputReplay> prepare(int input);

  InputReplay(InputReplay&& other) noexcept;
  InputReplay& operator=(InputReplay&&) = delete;
  InputReplay(const InputReplay&) = delete;
  InputReplay& operator=(const InputReplay&) = delete;
  ~InputReplay();

  [[nodiscard]] InputKind kind() const { return kind_; }
  /// The descriptor that the first run gets, nullopt = the real one.
  [[nodiscard]] std::optional<int> first_input() const;
  /// After the first run has started: passes on what comes in. The caller ignores SIGPIPE.
  void start();
  /// After the first run has ended. False when what it read could not be kept (a full disk): there
  /// is no honest second run then.
  [[nodiscard]] bool stop();
  /// A descriptor for the second run, open as long as this lives; nullopt = the real one. Error
  /// (unavailable): the file is gone.
  [[nodiscard]] Result<std::optional<int>> second_input();

 private:
  InputReplay() = default;
  void relay();

  InputKind kind_ = InputKind::empty;
  int input_ = -1;
  off_t offset_ = 0;
  int pipe_read_ = -1;
  int pipe_write_ = -1;
  int stop_event_ = -1;
  int copy_ = -1;
  int second_ = -1;
  std::thread relay_;
  std::atomic<bool> kept_all_{true};
};

}  // namespace ridge::measure
