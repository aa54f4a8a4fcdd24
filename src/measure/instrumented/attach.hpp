// Why a program that starts cannot be measured all the same.
#pragma once

#include <string>

#include "core/result.hpp"
#include "platform/process.hpp"

namespace ridge::measure {

/// The measured program finds the shared memory below /proc. Error (unavailable): there is none.
[[nodiscard]] Result<void> check_proc();

/// The program `path` (instrumented) ended so and did not attach to the session: the likely reason,
/// as the end of a sentence that begins with "because".
[[nodiscard]] std::string why_not_attached(const std::string& path,
                                           const platform::ExitStatus& status);

}  // namespace ridge::measure
