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

/// With a clock probe of its own, which takes 0.1 to 0.6 s to make.
[[nodiscard]] Result<Measured> run(const Call& call);

}  // namespace ridge::execute
