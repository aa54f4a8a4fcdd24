// Which CPUs this process may use, and binding the current thread to one of them.
#pragma once

#include <vector>

#include "core/result.hpp"

namespace ridge::platform {

/// Logical CPU numbers that the current thread may run on, ascending. Never empty: when the
/// operating system does not answer, CPU 0.
[[nodiscard]] std::vector<unsigned> allowed_cpus();

/// Binds the calling thread to one logical CPU. Error: `unavailable`.
[[nodiscard]] Result<void> pin_current_thread(unsigned cpu);

}  // namespace ridge::platform
