// Which samples were taken while the core was ours alone. Pure.
#pragma once

#include <vector>

#include "execute/report.hpp"

namespace ridge::execute {

/// Those taken while the core was ours alone: whose load burst took at most 3 % more cycles than
/// the first decile of all. All of them where fewer than 20, or than a fifth, are such;
/// `is_disturbed` then.
struct QuietSamples {
  std::vector<Sample> samples;
  bool is_disturbed = false;
};
[[nodiscard]] QuietSamples quiet_samples(const std::vector<Sample>& samples);

}  // namespace ridge::execute
