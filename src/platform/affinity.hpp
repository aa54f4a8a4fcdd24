// Which CPUs this process may use, and binding the current thread to one of them.
#pragma once

#include <vector>

#include "core/result.hpp"

namespace ridge::platform {

/// Logical CPU numbers that the current thread may run on, ascending. Never empty: when the
/// operating system does not answer, CPU 0.
[[nodiscard]] std::vector<unsigned> allowed_cpus();

/// The CPUs that the system lets this process have, ascending: allowed_cpus() and those besides
/// that only a mask excludes, which taskset, numactl or mpirun has set and which any process may
/// widen again. Not those outside of its control group's cpuset.
[[nodiscard]] std::vector<unsigned> cpuset_cpus();

/// For as long as it lives the calling thread, and threads that it starts, may run on all of
/// cpuset_cpus(). Does nothing where the system does not let it.
class WholeCpuset {
 public:
  WholeCpuset();
  ~WholeCpuset();
  WholeCpuset(const WholeCpuset&) = delete;
  WholeCpuset& operator=(const WholeCpuset&) = delete;

 private:
  std::vector<unsigned> before_;
  bool widened_ = false;
};

/// Binds the calling thread to one logical CPU. Error: `unavailable`.
[[nodiscard]] Result<void> pin_current_thread(unsigned cpu);

}  // namespace ridge::platform
