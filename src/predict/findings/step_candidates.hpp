// What may become a next step: findings and waiting, grouped by remedy, with the time of each
// region that a step may save.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// Time of the program, and what each region has of it: parts add up to no more than the whole.
struct TimeShares {
  double program = 0.0;         ///< s; 0: unknown
  std::vector<double> regions;  ///< s, in the order of Profile::regions
  /// Regions run at the same time: what the wall times sum to was scaled to the program's.
  bool is_scaled = false;
};

/// judged_share (program_time.hpp) of regions at work: where they sum to more than the program's
/// undisturbed time because regions run at the same time (files without shares), all are scaled so
/// that they sum to it. Of waiting in the OpenMP runtime: thread-seconds over the number of
/// threads, what an even spread would save, and no more than leaves one thread at work. Of the
/// program region: all of it.
[[nodiscard]] TimeShares time_shares(const Profile& profile);

/// How many times as fast one region becomes.
struct PartOfStep {
  std::size_t region = 0;  ///< index into Profile::regions
  double least = 1.0;
  /// Infinite: all of its time may go.
  double most = 1.0;
  /// The effect of what other parts of the same step do: the step saves the longer of both.
  bool is_waiting = false;
};

struct StepCandidate {
  NextStep step;  ///< of the first part; without `gain_program` and `regions`
  std::vector<PartOfStep> parts;
  bool has_remedy = true;  ///< else nobody knows what to do: it comes after what can be done
};

/// By remedy: one option of the compiler is one candidate whatever it helps, a change of code one
/// for each function. `names`: distinct_names of all regions.
[[nodiscard]] std::vector<StepCandidate> step_candidates(
    const Profile& profile, const Prediction& prediction,
    const std::map<std::uint32_t, std::string>& names);

}  // namespace ridge::predict
