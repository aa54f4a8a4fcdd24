#include "cli/initial_affinity.hpp"

#include <array>
#include <sys/syscall.h>
#include <unistd.h>

namespace ridge::cli {
namespace {

/// As the kernel writes it: as many bytes as it knows CPUs. 8192 of them are the most that Linux
/// can be built for.
std::array<unsigned long, 8192 / (8 * sizeof(unsigned long))> mask{};
long mask_bytes = 0;

void note() {
  mask_bytes = syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask.data());
}

/// Runs before the constructors of all libraries.
[[gnu::section(".preinit_array"), gnu::used]] void (*const note_first)() = note;

}  // namespace

void restore_initial_affinity() {
  if (mask_bytes > 0) {
    syscall(SYS_sched_setaffinity, 0, static_cast<unsigned long>(mask_bytes), mask.data());
  }
}

}  // namespace ridge::cli
