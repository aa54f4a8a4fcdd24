#include "cli/common/progress_bar.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"

namespace ridge::cli {

std::string progress_line(std::size_t done, std::size_t total, std::string_view what,
                          unsigned columns) {
  constexpr std::size_t kBar = 24;
  const std::size_t bounded = std::min(done, total);
  const double share = total == 0 ? 1.0 : static_cast<double>(bounded) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * kBar);
  std::string bar(filled, '=');
  bar.resize(kBar, ' ');
  std::string line = fmt::format("{:4.0f} % [{}] {}", 100.0 * share, bar, what);
  line.resize(std::min<std::size_t>(line.size(), columns > 0 ? columns - 1 : 0));
  return line;
}

ProgressBar::ProgressBar() : on_terminal_(is_terminal(stderr)) {}

ProgressBar::~ProgressBar() {
  if (drawn_) {
    show_step("");
  }
}

void ProgressBar::show(std::size_t done, std::size_t total, std::string_view what) {
  constexpr auto kBetween = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || (drawn_ && now - last_ < kBetween)) {
    return;
  }
  drawn_ = true;
  last_ = now;
  show_step(progress_line(done, total, what, terminal_columns(stderr)));
}

}  // namespace ridge::cli
