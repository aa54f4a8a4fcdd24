// Machine code that was timed and did not run under the engine, in regions that have work all the
// same: versions of a function for several processors.
#pragma once

#include "measure/binary/profile/sampled_code.hpp"
#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

/// Where samples of a region lie in machine code that the engine never ran, its operations get the
/// widths of that code, evidence of how the other code worked is dropped, and a note says so.
void take_timed_widths(ProgramCode& code, const SampledCode& samples, CodeFiles& files);

}  // namespace ridge::measure::binary
