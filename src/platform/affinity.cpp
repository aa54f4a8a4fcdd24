#include "platform/affinity.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <sched.h>

#include <fmt/format.h>

namespace ridge::platform {
namespace {

/// Larger than any Linux machine; the kernel refuses a mask shorter than its own.
constexpr int kMaxCpus = 16384;

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeCpuSet>;

const std::size_t kSetBytes = CPU_ALLOC_SIZE(kMaxCpus);

CpuSet empty_set() {
  CpuSet set(CPU_ALLOC(kMaxCpus));
  CPU_ZERO_S(kSetBytes, set.get());
  return set;
}

bool bind_current_thread(unsigned cpu) {
  const CpuSet set = empty_set();
  CPU_SET_S(cpu, kSetBytes, set.get());
  return sched_setaffinity(0, kSetBytes, set.get()) == 0;
}

}  // namespace

std::vector<unsigned> allowed_cpus() {
  const CpuSet set = empty_set();
  std::vector<unsigned> cpus;
  if (sched_getaffinity(0, kSetBytes, set.get()) == 0) {
    for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
      if (CPU_ISSET_S(cpu, kSetBytes, set.get())) {
        cpus.push_back(static_cast<unsigned>(cpu));
      }
    }
  }
  return cpus.empty() ? std::vector<unsigned>{0} : cpus;
}

Result<void> pin_current_thread(unsigned cpu) {
  if (cpu >= static_cast<unsigned>(kMaxCpus) || !bind_current_thread(cpu)) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot bind a thread to CPU {}: {}", cpu, std::strerror(errno)),
                "check the CPUs this process may use: taskset -pc $$");
  }
  return {};
}

}  // namespace ridge::platform
