// Calls of one function on several ranks, added. Pure.
#pragma once

#include "core/value/parallel_run.hpp"

namespace ridge::measure {

/// Calls, bytes, seconds and waiting; how the sum spreads over ranks is the caller's to say.
void add_call(MpiCall& to, const MpiCall& from);
void add_call(LibraryCall& to, const LibraryCall& from);

}  // namespace ridge::measure
