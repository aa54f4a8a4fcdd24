#include "cli/common/initial_affinity.hpp"

#include <array>
#include <sys/syscall.h>
#include <unistd.h>

namespace ridge::cli {
namespace {

/// One bit for each CPU; more than any Linux can be built for.
using Mask = std::array<unsigned long, 16384 / (8 * sizeof(unsigned long))>;
Mask initial{};
long initial_bytes = 0;  ///< that the kernel wrote; not positive: it did not say

void note() {
  initial_bytes = syscall(SYS_sched_getaffinity, 0, sizeof(initial), initial.data());
}

/// Runs before the constructors of all libraries.
[[gnu::section(".preinit_array"), gnu::used]] void (*const note_first)() = note;

}  // namespace

void restore_initial_affinity() {
  Mask now{};
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof(now), now.data());
  // What we set is kept when the CPUs of our container change: only where somebody else has, too.
  if (initial_bytes > 0 && bytes > 0 && now != initial) {
    syscall(SYS_sched_setaffinity, 0, static_cast<unsigned long>(initial_bytes), initial.data());
  }
}

}  // namespace ridge::cli
