// A progress bar on standard error, on a terminal only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::cli {

/// "  43 % [=========>           ] what", `columns` wide at most; pure.
[[nodiscard]] std::string progress_line(std::size_t done, std::size_t total, std::string_view what,
                                        unsigned columns);

/// Redraws at most ten times a second, wipes itself when it goes out of scope.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total, std::string_view what);

 private:
  bool on_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace ridge::cli
