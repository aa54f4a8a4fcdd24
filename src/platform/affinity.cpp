#include "platform/affinity.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <numeric>
#include <sched.h>
#include <system_error>
#include <thread>

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

bool bind_current_thread(const std::vector<unsigned>& cpus) {
  const CpuSet set = empty_set();
  for (const unsigned cpu : cpus) {
    CPU_SET_S(cpu, kSetBytes, set.get());
  }
  return sched_setaffinity(0, kSetBytes, set.get()) == 0;
}

/// All that there could be: the kernel leaves those of the cpuset.
std::vector<unsigned> any_cpu() {
  std::vector<unsigned> cpus(kMaxCpus);
  std::iota(cpus.begin(), cpus.end(), 0U);
  return cpus;
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

std::vector<unsigned> cpuset_cpus() {
  std::vector<unsigned> cpus = allowed_cpus();
  try {
    // A mask belongs to a thread: one that nobody else sees is widened.
    std::thread([&] { cpus = bind_current_thread(any_cpu()) ? allowed_cpus() : cpus; }).join();
  } catch (const std::system_error&) {
    // No thread, no wider mask.
  }
  return cpus;
}

WholeCpuset::WholeCpuset() : before_(allowed_cpus()) {
  const auto whole = cpuset_cpus();
  widened_ = whole != before_ && bind_current_thread(whole);
}

WholeCpuset::~WholeCpuset() {
  if (widened_) {
    bind_current_thread(before_);
  }
}

Result<void> pin_current_thread(unsigned cpu) {
  if (cpu >= static_cast<unsigned>(kMaxCpus) || !bind_current_thread({cpu})) {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot bind a thread to CPU {}: {}", cpu, std::strerror(errno)),
                "check the CPUs this process may use: taskset -pc $$");
  }
  return {};
}

}  // namespace ridge::platform
