// Why threads wait in the OpenMP runtime, as far as a profile tells.
#pragma once

#include "core/value/profile.hpp"
#include "predict/findings/step_words.hpp"

namespace ridge::predict {

struct WaitingWords {
  std::string code;  ///< "waits-imbalance", "waits-serial", "waits-unknown" ...: docs/findings.md
  StepWords words;
  /// False: it tells of the machine's load, so nothing is known of what less waiting would save.
  bool has_gain = true;
};

/// Thread-seconds of waiting over the number of threads of the program: what an even spread of all
/// work would save. Where causes are known, of uneven work and of what one thread does alone.
[[nodiscard]] double spread_seconds(const Region& waiting, double threads);

/// Where causes are known (wait_causes), the one with most seconds. Else, in this order: more
/// threads than CPUs; the uneven work of the threads of the same function makes half of the waiting
/// or more; most of the time went to others on a busy machine; uneven work does not explain it, so
/// serial parts or starting and joining; nothing of it is known. `waiting` is a region of `profile`
/// for which is_waiting.
[[nodiscard]] WaitingWords waiting_words(const Region& waiting, const Profile& profile);

/// The same as the one finding of that region.
[[nodiscard]] Finding waiting_finding(const Region& waiting, const Profile& profile);

/// Most threads of the program that were seen at once; at least 1.
[[nodiscard]] unsigned threads_of(const Profile& profile);

}  // namespace ridge::predict
