#include "measure/instrumented/sampler.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <utility>

#include "abi/layout.h"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {
namespace {

/// Reading a thread's clock costs a microsecond: with more threads than this, several ticks share
/// one reading.
constexpr std::uint64_t kClocksPerTick = 32;
/// Reading a thread's page faults costs some ten microseconds.
constexpr std::uint64_t kTicksPerFaultReading = 4;
/// Whether a process lives, how many threads it has, and where they run.
constexpr std::uint64_t kTicksPerCheck = 64;

/// The measured program writes while we read: one load, no tearing. `offset` is checked.
template <class T>
T load(ArenaBytes arena, std::uint64_t offset) {
  if (offset % sizeof(T) != 0 || !slice(arena, offset, sizeof(T))) {
    return T{};
  }
  return __atomic_load_n(reinterpret_cast<const T*>(arena.data() + offset), __ATOMIC_RELAXED);
}

}  // namespace

struct Sampler::ThreadState {
  std::uint64_t block = 0;
  std::uint32_t tid = 0;
  std::uint64_t generation = 0;
  std::uint32_t ordinal = 0;
  std::uint64_t waited_nanoseconds = 0;
  ThreadClock clock;
  CpuShare share;
  ThreadStatFile stat;
  ThreadFaults faults;
  /// The last stack seen and its nodes: the next one mostly begins alike.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
  std::uint32_t node = 0;       ///< of that stack
  std::uint32_t outermost = 0;  ///< node of the outermost frame last seen; 0: none
};

struct Sampler::ProcessState {
  ProcessSamples result;
  pid_t pid = 0;
  bool is_alive = true;
  /// As the kernel sees it: our list does not hold every thread. Once false it stays so, because
  /// the clock of the process keeps the time of threads that have ended.
  bool is_single_threaded = true;
  std::uint64_t newest_thread = 0;
  std::uint64_t ticks = 0;
  std::vector<ThreadState> threads;
  /// Of the look that is being taken: stacks, and outermost frames of threads without one.
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> idle;
};

namespace {

/// `word`: the first 8 bytes of a frame, read at once.
std::uint64_t region_of_frame(std::uint64_t word) {
  ridge_frame frame{};
  std::memcpy(&frame, &word, sizeof word);
  return ridge_frame_region(&frame);
}

/// Regions of a stack with their nodes, outermost first.
using KnownStack = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Brings `stack` up to date from its bottom.
class StackWalk {
 public:
  StackWalk(StackTable& stacks, KnownStack& stack) : stacks_(stacks), stack_(stack) {}
  ~StackWalk() { stack_.resize(known_); }
  StackWalk(const StackWalk&) = delete;
  StackWalk& operator=(const StackWalk&) = delete;

  void push(std::uint32_t region) {
    if (known_ < stack_.size() && stack_[known_].first == region) {
      node_ = stack_[known_].second;
    } else {
      stack_.resize(known_);
      node_ = stacks_.push(node_, region);
      stack_.emplace_back(region, node_);
    }
    ++known_;
  }
  [[nodiscard]] std::uint32_t node() const { return node_; }

 private:
  StackTable& stacks_;
  KnownStack& stack_;
  std::uint32_t node_ = 0;
  std::size_t known_ = 0;
};

/// Node of the thread's stack, on top of the markers that it is in; 0: it is in no region.
std::uint32_t top_node(Accumulator& samples, ArenaBytes arena, std::uint64_t block,
                       const std::vector<std::uint32_t>& markers, KnownStack& stack) {
  const auto depth = std::min<std::uint64_t>(
      load<std::uint64_t>(arena, block + offsetof(ridge_thread, depth)), RIDGE_FRAME_CAPACITY);
  if (depth <= 1) {
    stack.clear();
    return 0;
  }
  StackWalk walk(samples.stacks(), stack);
  for (const std::uint32_t marker : markers) {
    walk.push(marker);
  }
  for (std::uint64_t slot = 1; slot < depth; ++slot) {
    const auto id = region_of_frame(load<std::uint64_t>(
        arena, block + offsetof(ridge_thread, frames) + slot * sizeof(ridge_frame)));
    walk.push(id < RIDGE_REGION_CAPACITY ? static_cast<std::uint32_t>(id) : 0U);
  }
  return walk.node();
}

/// Markers that the thread is in: those of the whole process, or those of its own.
void add_open_markers(ArenaBytes arena, std::uint64_t block, bool of_process,
                      std::vector<std::uint32_t>& markers) {
  const auto count = std::min<std::uint64_t>(
      load<std::uint64_t>(arena, block + offsetof(ridge_thread, open_marker_count)),
      RIDGE_OPEN_MARKERS_MAX);
  for (std::uint64_t i = 0; i < count; ++i) {
    ridge_open_marker open{};
    const auto word = load<std::uint64_t>(
        arena, block + offsetof(ridge_thread, open_markers) + i * sizeof(ridge_open_marker));
    std::memcpy(&open, &word, sizeof word);
    if (open.marker < RIDGE_MARKERS_MAX &&
        of_process == ((open.flags & RIDGE_MARKER_WHOLE_PROCESS) != 0)) {
      markers.push_back(kMarkerBase + open.marker);
    }
  }
}

/// That the thread may run on; empty if that is unknown.
CpuSet allowed_cpus(pid_t thread) {
  CpuSet cpus;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(thread, sizeof mask, &mask) == 0) {
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) {
        cpus.insert(cpu);
      }
    }
  }
  return cpus;
}

}  // namespace

Sampler::Sampler(ArenaBytes arena) : arena_(arena) {}
Sampler::~Sampler() = default;

void Sampler::find_processes() {
  const auto newest = load<std::uint64_t>(arena_, offsetof(ridge_arena, processes));
  if (newest == newest_process_) {
    return;
  }
  newest_process_ = newest;
  for (const std::uint64_t record : process_records(arena_)) {
    const bool is_known = std::any_of(processes_.begin(), processes_.end(), [&](const auto& known) {
      return known->result.record == record;
    });
    if (is_known) {
      continue;
    }
    auto added = std::make_unique<ProcessState>();
    added->result.record = record;
    added->pid = static_cast<pid_t>(
        load<std::uint32_t>(arena_, record + offsetof(ridge_process_record, pid)));
    for (const auto& older : processes_) {
      older->is_alive = older->is_alive && older->pid != added->pid;  // replaced by exec
    }
    processes_.push_back(std::move(added));
  }
}

void Sampler::look_after(ProcessState& process) {
  const auto stat = read_process_stat(process.pid);
  process.is_alive = stat && !stat->has_ended();
  process.is_single_threaded = process.is_single_threaded && stat && stat->threads == 1;
  for (ThreadState& thread : process.threads) {
    if (thread.tid == 0) {
      continue;
    }
    if (CpuSet cpus = allowed_cpus(static_cast<pid_t>(thread.tid)); !cpus.empty()) {
      process.result.cpus_by_thread[thread.ordinal] = std::move(cpus);
    }
    if (const auto times = thread.clock.read()) {
      totals_.waited_seconds =
          totals_.waited_seconds.value_or(0.0) +
          1e-9 * static_cast<double>(times->waiting_nanoseconds - thread.waited_nanoseconds);
      thread.waited_nanoseconds = times->waiting_nanoseconds;
    }
  }
}

void Sampler::find_threads(ProcessState& process) {
  const auto newest =
      load<std::uint64_t>(arena_, process.result.record + offsetof(ridge_process_record, threads));
  if (newest == process.newest_thread) {
    return;
  }
  process.newest_thread = newest;
  for (const std::uint64_t block : follow_links<ridge_thread>(arena_, newest)) {
    const bool is_known =
        std::any_of(process.threads.begin(), process.threads.end(),
                    [&](const ThreadState& known) { return known.block == block; });
    if (!is_known) {
      ThreadState added;
      added.block = block;
      process.threads.push_back(std::move(added));
    }
  }
}

void Sampler::look_at_threads(ProcessState& process) {
  process.nodes.clear();
  process.idle.clear();
  std::vector<std::uint32_t> of_process;
  for (const ThreadState& thread : process.threads) {
    add_open_markers(arena_, thread.block, true, of_process);
  }
  std::vector<std::uint32_t> markers;
  for (ThreadState& thread : process.threads) {
    const auto tid = load<std::uint32_t>(arena_, thread.block + offsetof(ridge_thread, tid));
    const auto generation =
        load<std::uint64_t>(arena_, thread.block + offsetof(ridge_thread, generation));
    if (tid != thread.tid || generation != thread.generation) {
      thread.tid = tid;
      thread.generation = generation;
      thread.ordinal = load<std::uint32_t>(arena_, thread.block + offsetof(ridge_thread, ordinal));
      thread.share = CpuShare(thread.ordinal);
      thread.waited_nanoseconds = 0;
      thread.outermost = 0;
      thread.faults = ThreadFaults();
      const auto id = static_cast<pid_t>(tid);
      thread.clock = tid != 0 ? ThreadClock(process.pid, id) : ThreadClock();
      thread.stat = tid != 0 ? ThreadStatFile(process.pid, id) : ThreadStatFile();
    }
    if (tid == 0) {
      continue;
    }
    markers = of_process;
    add_open_markers(arena_, thread.block, false, markers);
    thread.node = top_node(process.result.samples, arena_, thread.block, markers, thread.stack);
    if (thread.node != 0) {
      thread.outermost = thread.stack[markers.size()].second;
      process.nodes.push_back(thread.node);
    } else if (thread.outermost != 0) {
      process.idle.push_back(thread.outermost);
    }
  }
}

void Sampler::add_samples(ProcessState& process, unsigned processes, double seconds,
                          double missed) {
  const TickId tick =
      process.result.samples.add_tick(process.nodes, seconds, process.idle, processes);
  for (ThreadState& thread : process.threads) {
    if (thread.tid != 0) {
      thread.share.sample(thread.node, seconds, tick);
      thread.faults.sample(thread.node, seconds + missed);
    }
  }
}

void Sampler::read_clocks(ProcessState& process) {
  Accumulator& samples = process.result.samples;
  // The clock of a process is exact, yet it is a thread's own only while there is one thread. The
  // two clocks have the same zero for a thread that began with its process.
  if (process.is_single_threaded && process.threads.size() == 1) {
    ThreadState& thread = process.threads.front();
    if (const auto now = process_cpu_nanoseconds(process.pid)) {
      const auto times = thread.clock.read();
      thread.share.reading(*now, samples,
                           times ? std::optional(times->waiting_nanoseconds) : std::nullopt);
    }
    return;
  }
  if (process.ticks % (1 + process.threads.size() / kClocksPerTick) != 0) {
    return;
  }
  for (ThreadState& thread : process.threads) {
    if (const auto now = thread.tid != 0 ? thread.clock.read() : std::nullopt) {
      thread.share.reading(now->running_nanoseconds, samples, now->waiting_nanoseconds);
    }
  }
}

void Sampler::read_faults(ProcessState& process) {
  const std::uint64_t period =
      kTicksPerFaultReading * (1 + process.threads.size() / kClocksPerTick);
  if (process.ticks % period != 0) {
    return;
  }
  bool is_known = false;
  for (ThreadState& thread : process.threads) {
    if (const auto now = thread.tid != 0 ? thread.stat.read() : std::nullopt) {
      thread.faults.reading({now->minor_faults, now->major_faults, now->kernel_ticks},
                            process.result.faults);
      is_known = true;
    }
  }
  process.result.fault_readings += is_known ? 1 : 0;
}

void Sampler::tick(double seconds, double missed) {
  find_processes();
  unsigned threads_in_regions = 0;
  unsigned processes_in_regions = 0;
  for (const auto& process : processes_) {
    if (!process->is_alive) {
      continue;
    }
    find_threads(*process);
    if (process->ticks % kTicksPerCheck == 0) {
      look_after(*process);
    }
    if (process->is_alive) {
      look_at_threads(*process);
      threads_in_regions += static_cast<unsigned>(process->nodes.size());
      processes_in_regions += process->nodes.empty() ? 0 : 1;
    }
  }
  for (const auto& process : processes_) {
    if (process->is_alive) {
      add_samples(*process, std::max(1U, processes_in_regions), seconds, missed);
      read_clocks(*process);
      read_faults(*process);
      ++process->ticks;
    }
  }
  ++totals_.ticks;
  totals_.sampled_seconds += seconds;
  totals_.attributed_seconds += threads_in_regions > 0 ? seconds : 0.0;
  totals_.most_threads = std::max(totals_.most_threads, threads_in_regions);
}

std::size_t Sampler::size_words() const {
  std::size_t words = 0;
  for (const auto& process : processes_) {
    words += process->result.samples.size_words() + 8ULL * process->result.samples.stacks().size();
  }
  return words;
}

SampleSet Sampler::finish() {
  for (auto& process : processes_) {
    totals_.processes.push_back(std::move(process->result));
  }
  processes_.clear();
  return std::move(totals_);
}

}  // namespace ridge::measure
