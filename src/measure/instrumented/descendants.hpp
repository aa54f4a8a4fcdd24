// Processes that the measured program started and that outlive it: daemons, double forks.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "measure/instrumented/arena_view.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure {

/// After the program's end: how long to go on, and who is left then.
class Descendants {
 public:
  /// `arena` is where measured processes have their records. At most `limit` after this moment.
  Descendants(platform::ProcessTree& tree, ArenaBytes arena, std::chrono::seconds limit);

  /// Looks around, at most every 50 ms. Worth it are measured processes up to the limit, and for a
  /// second those that may become one (a shell before its exec). A signal to us ends it.
  [[nodiscard]] bool worth_waiting();
  /// Whether one of them was measured when we looked last.
  [[nodiscard]] bool any_measured() const { return !measured_.empty(); }
  [[nodiscard]] const std::vector<platform::LivingProcess>& measured() const { return measured_; }
  [[nodiscard]] const std::vector<platform::LivingProcess>& others() const { return others_; }

 private:
  using Clock = std::chrono::steady_clock;
  void look(Clock::time_point now);

  platform::ProcessTree& tree_;
  ArenaBytes arena_;
  std::chrono::seconds limit_;
  Clock::time_point begin_;
  Clock::time_point next_look_;
  std::vector<platform::LivingProcess> measured_;
  std::vector<platform::LivingProcess> others_;
};

/// "solver (1234), sh (1236) and 3 more".
[[nodiscard]] std::string name_list(const std::vector<platform::LivingProcess>& processes);

}  // namespace ridge::measure
