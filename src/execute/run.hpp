// Runs a compiled function in a child process and measures it. Whatever it does there (crash, loop,
// exit, write where it may not) is an error here and nothing else.
#pragma once

#include "core/result.hpp"
#include "execute/call.hpp"
#include "platform/clock.hpp"

namespace ridge::execute {

/// Called once with memory around each array that nobody may touch, then warm, again and again, for
/// the call's budget. Nothing is flushed in between. A call that takes a second or longer is timed
/// twice at most; a note says so. Errors, each with a hint: `bad_input` where the object cannot be
/// loaded, lacks a symbol, or the function does what it may not; `unavailable` where its arrays are
/// larger than the memory that is free (nothing is started then), or it takes longer than the
/// limit.
[[nodiscard]] Result<Measured> run(const Call& call, const platform::ClockProbe& probe);

/// With a checked_probe() that is made once and kept.
[[nodiscard]] Result<Measured> run(const Call& call);

/// A clock probe whose calibration was seen twice. Where programs take the CPU from one another
/// all the time, one calibration was seen to come out half too high, and cycles with it: it is then
/// made anew, three times at most. Takes 0.2 s, up to 4 s. Make one for many calls.
[[nodiscard]] platform::ClockProbe checked_probe();

}  // namespace ridge::execute
