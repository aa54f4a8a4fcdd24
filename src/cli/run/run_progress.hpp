// What `ridge run` says on standard error while the program runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/common/progress_bar.hpp"
#include "measure/source.hpp"

namespace ridge::cli {

/// "traffic run: 34 %, 41 s so far, 80 s to go"
[[nodiscard]] std::string words_of(const measure::Progress& progress);

/// Which of these words are said, and when. Pure: the time is that of the progress.
class ProgressLines {
 public:
  explicit ProgressLines(bool on_terminal) : on_terminal_(on_terminal) {}

  /// The line to say now. On a terminal: only that a run for traffic begins, and how long it is
  /// expected to take; what goes on is shown in place. Elsewhere, for logs: that too where it takes
  /// 10 s and more, and a line each 10 s of every run.
  [[nodiscard]] std::optional<std::string> next(const measure::Progress& progress);

 private:
  bool on_terminal_;
  Seconds due_;
};

class RunProgress {
 public:
  explicit RunProgress(bool on_terminal) : lines_(on_terminal), on_terminal_(on_terminal) {}

  void show(const measure::Progress& progress);
  /// A line that somebody who waits should read, on a terminal.
  void tell(std::string_view line);

 private:
  ProgressLines lines_;
  bool on_terminal_;
  std::optional<ProgressBar> bar_;  ///< while it stands on the terminal
};

}  // namespace ridge::cli
