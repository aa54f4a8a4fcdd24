#include "analyze/in_core/pipeline.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>

namespace ridge::analyze {
namespace {

using Cycle = std::uint64_t;
using Earliest = std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>>;

/// When a unit is taken. Operations come in the order of the program, and each takes the first
/// free cycle, so an older one is never behind a younger one.
class Unit {
 public:
  [[nodiscard]] Cycle first_free(Cycle from) const {
    while (from < taken_.size() && taken_[from]) {
      ++from;
    }
    return from;
  }
  /// The first of `cycles` free ones in a row.
  [[nodiscard]] Cycle first_free(Cycle from, unsigned cycles) const {
    Cycle begin = first_free(from);
    for (Cycle at = begin; at < begin + cycles;) {
      if (at < taken_.size() && taken_[at]) {
        begin = first_free(at);
        at = begin;
      } else {
        ++at;
      }
    }
    return begin;
  }
  void take(Cycle from, unsigned cycles) {
    if (taken_.size() < from + cycles) {
      taken_.resize(2 * (from + cycles), false);
    }
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(from), cycles, true);
    waiting_.push(from);
  }
  /// Operations that were given to it and have not started at `now`.
  [[nodiscard]] std::size_t waiting(Cycle now) {
    while (!waiting_.empty() && waiting_.top() <= now) {
      waiting_.pop();
    }
    return waiting_.size();
  }

 private:
  std::vector<bool> taken_;
  Earliest waiting_;
};

class Pipeline {
 public:
  Pipeline(const CoreModel& core, const LoopCode& code)
      : core_(core), code_(code), units_(core.units().size()) {
    for (const MicroOperation& each : code.operations) {
      for (const Wait& wait : each.waits) {
        depth_ = std::max<std::size_t>(depth_, wait.passes + 1);
      }
    }
    starts_.assign(depth_, std::vector<Cycle>(code.operations.size(), 0));
  }

  /// Runs one pass; when its last instruction retires.
  Cycle run_pass() {
    std::size_t operation = 0;
    for (std::uint32_t i = 0; i < code_.slots.size(); ++i) {
      const Cycle renamed = rename(code_.slots[i]);
      Cycle done = renamed + 1;
      for (; operation < code_.operations.size() && code_.operations[operation].instruction == i;
           ++operation) {
        done = std::max(done, run(operation, renamed));
      }
      retire(done, code_.slots[i]);
    }
    ++pass_;
    return retired_;
  }

 private:
  Cycle rename(unsigned slots) {
    for (unsigned i = 0; i < slots; ++i) {
      if (in_cycle_ == core_.rename_width()) {
        ++now_;
        in_cycle_ = 0;
      }
      // A place in the reorder buffer, and one among those that wait.
      while (in_flight_.size() >= core_.reorder_buffer()) {
        advance_to(in_flight_.front());
        in_flight_.pop();
      }
      ++in_cycle_;
    }
    return now_;
  }

  /// Waits for a place among those of its kind that wait for operands.
  Cycle enter_scheduler(std::uint64_t units) {
    Earliest& waiting = waiting_of(units);
    while (!waiting.empty() && waiting.top() <= now_) {
      waiting.pop();
    }
    while (waiting.size() >= core_.scheduler(units)) {
      advance_to(waiting.top());
      waiting.pop();
    }
    return now_;
  }

  Earliest& waiting_of(std::uint64_t units) {
    return (units & core_.load_units()) != 0    ? waiting_[0]
           : (units & core_.store_units()) != 0 ? waiting_[1]
                                                : waiting_[2];
  }

  void advance_to(Cycle cycle) {
    if (cycle > now_) {
      now_ = cycle;
      in_cycle_ = 0;
    }
  }

  /// When its result is there.
  Cycle run(std::size_t position, Cycle renamed) {
    const MicroOperation& operation = code_.operations[position];
    if (operation.use.units != 0) {
      renamed = enter_scheduler(operation.use.units);
    }
    Cycle ready = operation.use.units == 0 ? renamed : renamed + 1;
    for (const Wait& wait : operation.waits) {
      if (wait.passes <= pass_) {
        const Cycle start = starts_[(pass_ - wait.passes) % depth_][wait.on];
        ready = std::max(ready, start + static_cast<Cycle>(std::max<std::int64_t>(
                                            wait.latency, -static_cast<std::int64_t>(start))));
      }
    }
    const Cycle start = operation.use.units == 0 ? ready : start_on_unit(operation, ready, renamed);
    starts_[pass_ % depth_][position] = start;
    return start + operation.latency;
  }

  /// The unit is chosen while renaming: that with the fewest operations that wait.
  Cycle start_on_unit(const MicroOperation& operation, Cycle ready, Cycle renamed) {
    std::size_t best = 0;
    std::size_t fewest = ~std::size_t{0};
    for (std::uint64_t left = operation.use.units; left != 0; left &= left - 1) {
      const auto unit = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t waiting = units_[unit].waiting(renamed);
      if (waiting < fewest) {
        fewest = waiting;
        best = unit;
      }
    }
    Cycle start = units_[best].first_free(ready, operation.use.cycles);
    if (operation.divider_cycles != 0) {
      for (Cycle free = 0; free != start;) {
        free = divider_.first_free(start, operation.divider_cycles);
        start = units_[best].first_free(free, operation.use.cycles);
        free = start == free ? start : 0;
      }
      divider_.take(start, operation.divider_cycles);
    }
    units_[best].take(start, operation.use.cycles);
    waiting_of(operation.use.units).push(start);
    return start;
  }

  void retire(Cycle done, unsigned slots) {
    for (unsigned i = 0; i < slots; ++i) {
      if (done > retired_) {
        retired_ = done;
        retired_in_cycle_ = 0;
      } else if (retired_in_cycle_ == core_.retire_width()) {
        ++retired_;
        retired_in_cycle_ = 0;
      }
      ++retired_in_cycle_;
      in_flight_.push(retired_);
    }
  }

  const CoreModel& core_;
  const LoopCode& code_;
  std::vector<Unit> units_;
  Unit divider_;
  std::vector<std::vector<Cycle>> starts_;  ///< of the last passes
  std::size_t depth_ = 1;
  std::uint64_t pass_ = 0;
  Cycle now_ = 1;
  unsigned in_cycle_ = 0;
  Cycle retired_ = 0;
  unsigned retired_in_cycle_ = 0;
  std::queue<Cycle> in_flight_;      ///< when each retires
  std::array<Earliest, 3> waiting_;  ///< for operands: loads, stores, others
};

unsigned slots_of(const LoopCode& code) {
  return std::accumulate(code.slots.begin(), code.slots.end(), 0U);
}

}  // namespace

double front_end_cycles(const CoreModel& core, const LoopCode& code) {
  return std::max(static_cast<double>(slots_of(code)) / core.rename_width(),
                  core.least_pass_cycles());
}

double steady_cycles(const CoreModel& core, const LoopCode& code) {
  // Until the buffers are full, and as long again.
  const unsigned slots = std::max(slots_of(code), 1U);
  const unsigned passes = std::max(12U, 3 * core.reorder_buffer() / slots + 1);
  Pipeline pipeline(core, code);
  Cycle full = 0;
  for (unsigned i = 0; i < passes; ++i) {
    full = pipeline.run_pass();
  }
  Cycle end = full;
  for (unsigned i = 0; i < passes; ++i) {
    end = pipeline.run_pass();
  }
  return std::max(static_cast<double>(end - full) / passes, core.least_pass_cycles());
}

}  // namespace ridge::analyze
