#include "cli/run/run_progress.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/common/streams.hpp"
#include "core/quantity/duration.hpp"

namespace ridge::cli {
namespace {

using measure::Progress;
using measure::RunOfProgram;

/// Between two lines of a log; what is over sooner needs none.
constexpr Seconds kBetweenLines{10.0};

std::string_view name_of(RunOfProgram run) {
  switch (run) {
    case RunOfProgram::first:
      return "first run (counts and times)";
    case RunOfProgram::traffic:
      return "second run (traffic)";
    case RunOfProgram::traffic_again:
      return "third run (traffic, all lines)";
    case RunOfProgram::times:
      return "first run (times)";
    case RunOfProgram::counts:
      return "second run (counts)";
    case RunOfProgram::traffic_after_counts:
      return "third run (traffic)";
    case RunOfProgram::traffic_after_counts_again:
      return "fourth run (traffic, all lines)";
  }
  return {};
}

/// On the real standard streams.
bool is_first(RunOfProgram run) {
  return run == RunOfProgram::first || run == RunOfProgram::times;
}

/// "41 s so far, 80 s to go"
std::string times_of(const Progress& progress) {
  std::string text = fmt::format("{} so far", duration_words(progress.elapsed));
  if (progress.remaining) {
    text += fmt::format(", {} to go",
                        duration_words(progress.remaining->least, progress.remaining->most));
  }
  return text;
}

std::string beginning_of(const Progress& progress) {
  std::string text(name_of(progress.run));
  if (progress.remaining) {
    text += fmt::format(": about {}",
                        duration_words(progress.remaining->least, progress.remaining->most));
  }
  if (progress.run == RunOfProgram::traffic_again ||
      progress.run == RunOfProgram::traffic_after_counts_again) {
    return text + "; some loops use the sets of the caches too unevenly to sample their lines";
  }
  return text + "; output is thrown away, Ctrl-C skips it";
}

}  // namespace

std::string words_of(const Progress& progress) {
  const std::string share =
      progress.done ? fmt::format("{:.0f} %, ", std::floor(100.0 * *progress.done)) : "";
  return fmt::format("{}: {}{}", name_of(progress.run), share, times_of(progress));
}

std::optional<std::string> ProgressLines::next(const Progress& progress) {
  const bool begins = progress.elapsed <= Seconds(0.0);
  if (begins) {
    due_ = kBetweenLines;
    const bool is_long = progress.remaining && progress.remaining->most >= kBetweenLines;
    return !is_first(progress.run) && (on_terminal_ || is_long)
               ? std::optional(beginning_of(progress))
               : std::nullopt;
  }
  if (on_terminal_ || progress.elapsed < due_) {
    return std::nullopt;
  }
  while (due_ <= progress.elapsed) {
    due_ += kBetweenLines;
  }
  return words_of(progress);
}

void RunProgress::show(const Progress& progress) {
  if (const auto line = lines_.next(progress)) {
    bar_.reset();  // it wipes itself
    say(*line);
    return;
  }
  // In the first run the terminal is the program's.
  if (!on_terminal_ || is_first(progress.run) || progress.elapsed <= Seconds(0.0)) {
    return;
  }
  if (!bar_) {
    bar_.emplace();
  }
  if (progress.done) {
    constexpr std::size_t kThousandths = 1000;
    bar_->show(static_cast<std::size_t>(*progress.done * kThousandths), kThousandths,
               times_of(progress));
  } else {
    show_step(words_of(progress));
  }
}

void RunProgress::tell(std::string_view line) {
  if (on_terminal_) {
    bar_.reset();
    say(line);
  }
}

}  // namespace ridge::cli
