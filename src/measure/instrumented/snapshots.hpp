// What is known of a run that still goes on, kept for the case that somebody kills us.
#pragma once

#include <chrono>
#include <functional>
#include <sys/types.h>

#include "core/value/profile.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

/// Stores one a second after the start and then every few seconds. A copy of this process (fork)
/// does the work at low priority: whoever samples goes on within a millisecond, and what goes wrong
/// in the copy stays there.
class Snapshots {
 public:
  /// `picture` makes the profile, in the copy.
  Snapshots(const SnapshotSink& sink, std::function<Profile()> picture);
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;
  /// Ends a copy that still works.
  ~Snapshots();

  /// Begins one if it is time.
  void offer();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_busy();
  [[noreturn]] void work_in_copy();

  const SnapshotSink& sink_;
  std::function<Profile()> picture_;
  bool is_open_ = false;
  pid_t copy_ = -1;
  std::chrono::nanoseconds fork_time_{};
  Clock::time_point next_;
  std::chrono::seconds pause_;
};

}  // namespace ridge::measure
