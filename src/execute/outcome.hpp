// From what a child left behind to figures, or to what went wrong. Pure.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "execute/call.hpp"
#include "execute/report.hpp"
#include "platform/process.hpp"

namespace ridge::execute {

struct Ended {
  platform::ExitStatus status;
  bool was_late = false;  ///< it had to be ended at the limit
  std::string errors;     ///< what the function wrote to its standard error, the beginning
};

/// Errors: `bad_input` with what the function did (where it reads or writes outside of an array,
/// which one and how far), `unavailable` where it took too long or memory is missing.
[[nodiscard]] Result<Measured> outcome_of(const Call& call, const Report& report,
                                          const Ended& ended);

/// Those taken while the core was ours alone: whose load burst took at most 3 % more cycles than
/// the first decile of all. All of them where fewer than 20, or than a fifth, are such;
/// `is_disturbed` then.
struct QuietSamples {
  std::vector<Sample> samples;
  bool is_disturbed = false;
};
[[nodiscard]] QuietSamples quiet_samples(const std::vector<Sample>& samples);

}  // namespace ridge::execute
