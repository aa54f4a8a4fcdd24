#include "platform/perf_events.hpp"

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

/// 256 kB: four seconds of samples at one a millisecond. Less where others have taken some of what
/// every user may lock on each CPU, 516 kB.
constexpr std::size_t kMostPages = 64;
constexpr std::size_t kFewestPages = 4;
/// Of each stack: kernels of linear algebra keep blocks of 32 kB there. In the smallest buffer
/// there is room for three.
constexpr std::uint32_t kStackBytes = 40960;
constexpr std::size_t kMostStackPages = 256;
constexpr std::size_t kFewestStackPages = 32;

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
  wanted.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
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

perf_event_attr stack_attributes(const PerfRequest& request) {
  perf_event_attr wanted = attributes(request);
  wanted.sample_period = request.stack_interval_nanoseconds;
  wanted.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  wanted.sample_regs_user = stack_register_mask();
  wanted.sample_stack_user = kStackBytes;
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

tl::expected<PerfEvents::Ring, int> PerfEvents::Ring::map(int event, std::size_t most_pages,
                                                          std::size_t fewest_pages) {
  int error = 0;
  for (std::size_t pages = most_pages; pages >= fewest_pages; pages /= 2) {
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

int PerfEvents::Clocks::open_on(unsigned cpu, const perf_event_attr& wanted,
                                const std::vector<pid_t>& threads) {
  int ring_event = -1;
  int error = ESRCH;
  for (const pid_t thread : threads) {
    const long opened = syscall(SYS_perf_event_open, &wanted, thread, static_cast<int>(cpu), -1,
                                PERF_FLAG_FD_CLOEXEC);
    if (opened < 0) {
      if (errno == ESRCH) {
        continue;  // has ended
      }
      return errno;
    }
    events.emplace_back(static_cast<int>(opened));
    if (ring_event >= 0) {
      if (ioctl(events.back().number(), PERF_EVENT_IOC_SET_OUTPUT, ring_event) != 0) {
        return errno;
      }
      continue;
    }
    auto ring = Ring::map(events.back().number(), most_pages, fewest_pages);
    if (!ring) {
      return ring.error();
    }
    rings.push_back(std::move(*ring));
    ring_event = events.back().number();
    error = 0;
  }
  return error;
}

int PerfEvents::Clocks::open(const perf_event_attr& wanted, const std::vector<pid_t>& threads) {
  for (const unsigned cpu : cpuset_cpus()) {
    const int error = open_on(cpu, wanted, threads);
    if (error != 0 && error != ENODEV) {  // ENODEV: taken from the system just now
      return error;
    }
  }
  return rings.empty() ? ENODEV : 0;
}

int PerfEvents::Clocks::control(unsigned long what) const {
  for (const File& event : events) {
    if (ioctl(event.number(), what, 0) != 0) {
      return errno;
    }
  }
  return 0;
}

void PerfEvents::Clocks::read(std::vector<PerfRecord>& into) const {
  std::vector<std::byte> bytes;
  for (const Ring& ring : rings) {
    bytes.clear();
    ring.take(bytes);
    auto records = parse_perf_records(bytes, layout);
    into.insert(into.end(), std::make_move_iterator(records.begin()),
                std::make_move_iterator(records.end()));
  }
}

tl::expected<PerfEvents, int> PerfEvents::open(const PerfRequest& request) {
  PerfEvents events;
  events.samples_ = {{.has_user_registers = request.with_kernel}, kMostPages, kFewestPages};
  if (const int error = events.samples_.open(attributes(request), request.threads); error != 0) {
    return tl::make_unexpected(error);
  }
  events.stacks_ = {{.has_stacks = true}, kMostStackPages, kFewestStackPages};
  if (request.stack_interval_nanoseconds != 0 &&
      events.stacks_.open(stack_attributes(request), request.threads) != 0) {
    events.stacks_ = {};
  }
  if (!request.from_exec) {
    if (const int error = events.samples_.control(PERF_EVENT_IOC_ENABLE); error != 0) {
      return tl::make_unexpected(error);
    }
    (void)events.stacks_.control(PERF_EVENT_IOC_ENABLE);
  }
  return events;
}

void PerfEvents::stop() {
  (void)samples_.control(PERF_EVENT_IOC_DISABLE);
  (void)stacks_.control(PERF_EVENT_IOC_DISABLE);
}

void PerfEvents::read(std::vector<PerfRecord>& into) {
  samples_.read(into);
  std::vector<PerfRecord> stacks;
  stacks_.read(stacks);
  // A lost stack is no lost sample.
  std::erase_if(stacks, [](const PerfRecord& record) { return record.kind != PerfRecord::stack; });
  into.insert(into.end(), std::make_move_iterator(stacks.begin()),
              std::make_move_iterator(stacks.end()));
}

}  // namespace ridge::platform
