// Visits all ceilings of a plan in many passes and keeps their samples (docs/decisions/0063).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "bench/quiet.hpp"
#include "bench/runner.hpp"
#include "bench/scheduler.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

class Passes {
 public:
  struct Control {
    /// Asked between visits. The first pass is made to its end unless `stop` says so.
    std::function<bool()> stop;
    std::function<bool()> out_of_time;
    std::function<void()> on_turn;  ///< now and then
  };

  /// `cache_levels`: those whose rates follow the clock of the core. `passes`: in how many a
  /// ceiling has earned its budget.
  Passes(std::vector<PlannedKernel> planned, std::vector<Level> cache_levels, unsigned passes);

  /// As Runner::run(): samples of each turn, fewer turns when stopped.
  using TakeTurns = std::function<Result<std::vector<Measured>>(const std::vector<Turn>& turns,
                                                                const std::function<bool()>& stop)>;

  /// Until all ceilings are settled or `control` says so. Errors: as of `take`.
  [[nodiscard]] Result<void> run(const TakeTurns& take, const Control& control);

  /// Those that were visited but whose threads never ran at once: they have no samples.
  [[nodiscard]] std::vector<std::size_t> apart() const;
  /// Visits these again, each for longer than in a pass, until none is left or `control` says so.
  [[nodiscard]] Result<void> repeat_apart(const TakeTurns& take, const Control& control);

  [[nodiscard]] const std::vector<PlannedKernel>& planned() const { return planned_; }
  /// In the order in which they were taken; empty when there was no visit.
  [[nodiscard]] const Measured& samples(std::size_t index) const { return measured_.at(index); }
  /// What disturbs memory need not be on the same core: there all samples are kept. Needs samples.
  [[nodiscard]] Sorted sorted(std::size_t index) const;
  [[nodiscard]] Scale scale_of(const PlannedKernel& planned) const;
  [[nodiscard]] bool is_known(const PlannedKernel& planned, const Sorted& sorted) const;
  [[nodiscard]] std::size_t settled() const { return scheduler_.settled(); }
  [[nodiscard]] std::size_t size() const { return planned_.size(); }

 private:
  [[nodiscard]] Result<void> make(const TakeTurns& take,
                                  const std::vector<Scheduler::Visit>& visits,
                                  const Control& control);
  [[nodiscard]] bool must_stop(const Control& control) const;
  void settle();

  std::vector<PlannedKernel> planned_;
  std::vector<Level> cache_levels_;
  Scheduler scheduler_;
  std::vector<Measured> measured_;                           ///< for each planned kernel
  std::map<unsigned, std::vector<double>> quickest_bursts_;  ///< of each visit, by threads
};

/// Ids of the ceilings among the first of the plan, `planned`, for which no form of their kernel
/// gave a sample of threads at once: `machine` has no such ceiling.
[[nodiscard]] std::vector<std::string> ceilings_apart(const std::vector<PlannedKernel>& planned,
                                                      const Passes& passes, const Machine& machine);

}  // namespace ridge::bench
