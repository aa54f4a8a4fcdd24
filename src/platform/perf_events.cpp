#include "platform/perf_events.hpp"

#include <algorithm>
#include <asm/perf_regs.h>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "platform/affinity.hpp"

namespace ridge::platform {
namespace {

/// 512 kB, which with the page before them is what every user may lock on each CPU: nine seconds of
/// samples at one a millisecond. Less where others have taken some of it.
constexpr std::size_t kMostPages = 128;
constexpr std::size_t kFewestPages = 4;

/// Of each stack: kernels of linear algebra keep blocks of 32 kB there. A buffer has room for so
/// many of them at least, or there are none.
constexpr std::size_t kMostStackBytes = 40960;
constexpr std::size_t kFewestStackBytes = 2048;
constexpr std::size_t kStacksInBuffer = 12;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

perf_event_attr attributes(const PerfRequest& request) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = PERF_COUNT_SW_CPU_CLOCK;
  wanted.sample_period = request.interval_nanoseconds;
  wanted.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  if (request.with_kernel) {
    wanted.sample_type |= PERF_SAMPLE_REGS_USER;
    wanted.sample_regs_user = std::uint64_t{1} << PERF_REG_X86_IP;
  }
  wanted.exclude_kernel = request.with_kernel ? 0 : 1;
  wanted.exclude_hv = 1;
  wanted.disabled = 1;
  wanted.enable_on_exec = request.from_exec ? 1 : 0;
  wanted.inherit = 1;
  wanted.mmap = 1;  // executable memory alone
  wanted.mmap2 = 1;
  wanted.comm = 1;
  wanted.comm_exec = 1;
  wanted.task = 1;
  wanted.sample_id_all = 1;
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  return wanted;
}

perf_event_attr stack_attributes(const PerfRequest& request, std::size_t stack_bytes) {
  perf_event_attr wanted = attributes(request);
  wanted.sample_period = request.stack_interval_nanoseconds;
  wanted.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  wanted.sample_regs_user = stack_register_mask();
  wanted.sample_stack_user = static_cast<std::uint32_t>(stack_bytes);
  wanted.mmap = wanted.mmap2 = wanted.comm = wanted.comm_exec = wanted.task = 0;
  return wanted;
}

}  // namespace

PerfEvents::File::File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

PerfEvents::File& PerfEvents::File::operator=(File&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

PerfEvents::File::~File() {
  if (number_ >= 0) {
    close(number_);
  }
}

tl::expected<PerfEvents::Ring, int> PerfEvents::Ring::map(int event) {
  int error = 0;
  for (std::size_t pages = kMostPages; pages >= kFewestPages; pages /= 2) {
    const std::size_t bytes = (pages + 1) * page_bytes();
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    if (memory != MAP_FAILED) {
      return Ring(memory, bytes);
    }
    error = errno;
    if (error != EPERM && error != ENOMEM) {
      break;
    }
  }
  return tl::make_unexpected(error == EPERM ? ENOMEM : error);  // not forbidden as such
}

PerfEvents::Ring::Ring(Ring&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}

PerfEvents::Ring& PerfEvents::Ring::operator=(Ring&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

PerfEvents::Ring::~Ring() {
  if (memory_ != nullptr) {
    munmap(memory_, bytes_);
  }
}

void PerfEvents::Ring::take(std::vector<std::byte>& into) const {
  auto* page = static_cast<perf_event_mmap_page*>(memory_);
  const auto* data = static_cast<const std::byte*>(memory_) + page_bytes();
  const std::size_t size = bytes_ - page_bytes();
  const std::uint64_t head = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
  std::uint64_t at = page->data_tail;
  while (at < head) {
    const std::size_t begin = at % size;
    const std::size_t count = std::min<std::uint64_t>(head - at, size - begin);
    into.insert(into.end(), data + begin, data + begin + count);
    at += count;
  }
  std::atomic_ref(page->data_tail).store(head, std::memory_order_release);
}

int PerfEvents::open_on(unsigned cpu, const PerfRequest& request) {
  perf_event_attr wanted = attributes(request);
  int ring_event = -1;
  int error = ESRCH;
  for (const pid_t thread : request.threads) {
    const long opened = syscall(SYS_perf_event_open, &wanted, thread, static_cast<int>(cpu), -1,
                                PERF_FLAG_FD_CLOEXEC);
    if (opened < 0) {
      if (errno == ESRCH) {
        continue;  // has ended
      }
      return errno;
    }
    events_.emplace_back(static_cast<int>(opened));
    if (ring_event >= 0) {
      if (ioctl(events_.back().number(), PERF_EVENT_IOC_SET_OUTPUT, ring_event) != 0) {
        return errno;
      }
      continue;
    }
    auto ring = Ring::map(events_.back().number());
    if (!ring) {
      return ring.error();
    }
    rings_.push_back(std::move(*ring));
    ring_event = events_.back().number();
    error = 0;
  }
  if (ring_event >= 0 && request.stack_interval_nanoseconds != 0) {
    open_stacks(cpu, request, ring_event);
  }
  return error;
}

void PerfEvents::open_stacks(unsigned cpu, const PerfRequest& request, int ring_event) {
  const std::size_t bytes =
      std::min(kMostStackBytes, rings_.back().bytes() / kStacksInBuffer) & ~7U;
  if (bytes < kFewestStackBytes) {
    return;
  }
  perf_event_attr wanted = stack_attributes(request, bytes);
  for (const pid_t thread : request.threads) {
    const long opened = syscall(SYS_perf_event_open, &wanted, thread, static_cast<int>(cpu), -1,
                                PERF_FLAG_FD_CLOEXEC);
    if (opened < 0) {
      continue;
    }
    File file(static_cast<int>(opened));
    std::uint64_t identifier = 0;
    if (ioctl(file.number(), PERF_EVENT_IOC_SET_OUTPUT, ring_event) == 0 &&
        ioctl(file.number(), PERF_EVENT_IOC_ID, &identifier) == 0) {
      layout_.stack_events.insert(identifier);
      events_.push_back(std::move(file));
    }
  }
}

tl::expected<PerfEvents, int> PerfEvents::open(const PerfRequest& request) {
  PerfEvents events;
  events.layout_.has_user_registers = request.with_kernel;
  for (const unsigned cpu : cpuset_cpus()) {
    const int error = events.open_on(cpu, request);
    if (error != 0 && error != ENODEV) {  // ENODEV: taken from the system just now
      return tl::make_unexpected(error);
    }
  }
  if (events.rings_.empty()) {
    return tl::make_unexpected(ENODEV);
  }
  if (!request.from_exec) {
    for (const File& event : events.events_) {
      if (ioctl(event.number(), PERF_EVENT_IOC_ENABLE, 0) != 0) {
        return tl::make_unexpected(errno);
      }
    }
  }
  return events;
}

void PerfEvents::stop() {
  for (const File& event : events_) {
    (void)ioctl(event.number(), PERF_EVENT_IOC_DISABLE, 0);
  }
}

void PerfEvents::read(std::vector<PerfRecord>& into) {
  std::vector<std::byte> bytes;
  for (const Ring& ring : rings_) {
    bytes.clear();
    ring.take(bytes);
    auto records = parse_perf_records(bytes, layout_);
    into.insert(into.end(), std::make_move_iterator(records.begin()),
                std::make_move_iterator(records.end()));
  }
}

}  // namespace ridge::platform
