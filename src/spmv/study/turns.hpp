// Things are timed in turn, round by round, so that what disturbs a round disturbs all of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"

namespace ridge::spmv {

/// Of one contender, a number for each round.
struct Samples {
  std::vector<double> seconds;     ///< of one run
  std::vector<double> bandwidths;  ///< [byte/s], read just before and after
};

struct TurnRules {
  int least_rounds =
      9;  ///< so that one disturbed round does not decide (core/quantity/median_interval.hpp)
  int most_rounds = 31;
  Seconds budget{};  ///< no further round after it, but for the least
  /// On top, as long as too_noisy_to_rank() finds any.
  Seconds more{};
  int most_rounds_noisy = 124;  ///< together; halves the interval that 31 give
};

/// What takes_turns() needs from outside; tests bring a machine of their own.
struct TurnTaking {
  struct Sample {
    double seconds = 0;
    double bandwidth = 0;
  };
  std::function<Sample(std::size_t contender)> sample;
  std::function<Seconds()> elapsed;  ///< since the beginning
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Samples of each contender. Every second round goes the other way round: of a steady drift each
/// pair has as much in one direction as in the other.
[[nodiscard]] std::vector<Samples> take_turns(std::size_t contenders, const TurnRules& rules,
                                              const TurnTaking& taking);

/// How many are too noisy against the first one, or faster, but by a factor that is as uncertain.
[[nodiscard]] std::size_t too_noisy_to_rank(const std::vector<Samples>& samples);

}  // namespace ridge::spmv
