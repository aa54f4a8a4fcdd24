// In the child: what the function brings upon itself ends up in the report.
#pragma once

#include "execute/report.hpp"

namespace ridge::execute {

/// From now on a signal that a function can bring upon itself, and exit(), are written into the
/// report and end this process at once, without what the process has yet to do at its end. The
/// report must outlive everything.
void watch_process(Report& report);

/// For the calling thread: a stack of its own for the handler, so that a full one can be told.
/// Again without effect.
void watch_stack_of_thread();

}  // namespace ridge::execute
