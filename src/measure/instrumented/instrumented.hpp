// The source "instrumented": a program that was built with ridge-cc, counted and sampled in one
// run, simulated in a second.
#pragma once

#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

/// Source::measure. Runs the program on the real standard streams, then once or
/// (TrafficRequest::automatic) twice more for traffic with the same input and its output thrown
/// away. Errors before the program starts: bad_input (not found, not executable, not instrumented,
/// another version), unavailable (no memory, no file descriptors). After that everything that went
/// wrong is a note.
[[nodiscard]] Result<Profile> measure_instrumented(const Request& request, const Machine& machine);

/// Source::check: nothing when the request names a program that can be measured; the errors of
/// measure_instrumented() that come before anything is started.
[[nodiscard]] Result<void> check_instrumented(const Request& request);

}  // namespace ridge::measure
