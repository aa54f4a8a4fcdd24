// Code that the processor's features choose: another one under an engine than untouched. Its time
// and its work meet at the function that both were called from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/binary/stacks/callers.hpp"

namespace ridge::measure::binary {

/// Adds to `code` a region for each function (or group of functions with code in common) below
/// which the untouched run took other code of the same file than the run that counts. It has the
/// time of the first and the work of the second; the regions of both are left without either, and
/// say so in ProgramCode::stands_for. `samples`: whose stacks these are. Regions whose stacks do
/// not mostly lead to such a function, or are not known, stay as they are.
void join_chosen_code(ProgramCode& code, const SampledCode& samples,
                      std::span<const RegionStack> timed, std::span<const RegionStack> counted);

}  // namespace ridge::measure::binary
