// From what a child left behind to figures, or to what went wrong. Pure.
#pragma once

#include <string>

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

}  // namespace ridge::execute
