// Looks at a run for traffic while it goes on: how far it is, and whether it should go on at all
// (docs/decisions/0230 and 0231). Pure: whoever looks brings time and figures.
#pragma once

#include <cstdint>
#include <optional>

#include "core/quantity/units.hpp"
#include "measure/instrumented/decode.hpp"
#include "measure/run/pace.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

enum class TrafficVerdict {
  go_on,
  all_lines,    ///< it samples, and it is clear that some loops need all lines
  over_budget,  ///< it takes longer than it may
};

/// What a run for traffic is watched for.
struct TrafficWatchOptions {
  RunOfProgram run = RunOfProgram::traffic;
  std::uint64_t bytes = 0;      ///< bytes_of() the first run
  SecondsRange expected;        ///< of this run, before it starts
  bool may_repeat = false;      ///< as TrafficPlan has it
  std::optional<Seconds> most;  ///< of this run
};

class TrafficWatch {
 public:
  explicit TrafficWatch(const TrafficWatchOptions& options) : options_(options) {}

  /// `now`: the run's figures `elapsed` after its start; later calls are later.
  [[nodiscard]] TrafficVerdict look(Seconds elapsed, const DecodedArena& now);
  [[nodiscard]] bool is_over_budget(Seconds elapsed) const {
    return options_.most && elapsed > *options_.most;
  }
  /// As of the last look.
  [[nodiscard]] Progress progress() const;
  /// Share of a boundary's traffic that some lines cannot stand for, at the last look.
  [[nodiscard]] double untrusted_share() const { return untrusted_; }

 private:
  [[nodiscard]] double part_at_most() const;
  [[nodiscard]] bool needs_all_lines(const DecodedArena& now);

  TrafficWatchOptions options_;
  Pace pace_;
  Seconds elapsed_;
  double untrusted_ = 0.0;
  unsigned looks_in_doubt_ = 0;  ///< one after the other
};

}  // namespace ridge::measure
