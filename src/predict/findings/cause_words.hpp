// What takes a share of a program's time, in words.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

struct Cause {
  VerdictKind kind = VerdictKind::no_roof;
  const Region& region;  ///< the first one that it is said of
  std::string resource;  ///< of bandwidth: the level
  std::string name;      ///< of that region, or of what it calls
};

/// "72 % of the time is bound by DRAM bandwidth"; `percent` is "72 %".
[[nodiscard]] std::string cause_words(const Cause& cause, const std::string& percent);

}  // namespace ridge::predict
