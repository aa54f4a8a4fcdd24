// Findings as things to do: what is in the way in a few words, the remedy, and what it reaches.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// How far one remedy reaches: all regions that share it are one step.
enum class Reach {
  function,  ///< a change of this function's code
  program,   ///< an option of the compiler or of the run
};

struct StepWords {
  std::string reason;  ///< "vectors of 256 bit, where 512 bit do 1.4 times as many flops a second"
  std::string remedy;  ///< "-mprefer-vector-width=512 with -march=native"
  Reach reach = Reach::function;
  /// The finding that stands for all with this remedy in one function; empty: that of the words.
  std::string family = {};
  bool is_vague = false;  ///< the remedy names a wish, no change
};

/// Of a finding of `region`. A code without words of its own: the finding's text as the reason.
[[nodiscard]] StepWords step_words(const Finding& finding, const Region& region);

}  // namespace ridge::predict
