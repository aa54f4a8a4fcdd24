// Runs planned kernels: memory for the threads, length of a sample, samples to rates.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/jit.hpp"
#include "bench/plan.hpp"
#include "bench/traversal.hpp"
#include "core/result.hpp"
#include "platform/clock.hpp"
#include "platform/pages.hpp"
#include "platform/timing_loop.hpp"

namespace ridge::bench {

/// One buffer per thread, first touched by that thread on its CPU.
class ThreadBuffers {
 public:
  /// Errors: no memory; a thread that cannot be started or pinned.
  [[nodiscard]] static Result<ThreadBuffers> make(const std::vector<unsigned>& cpus,
                                                  std::uint64_t bytes_per_thread);

  [[nodiscard]] std::byte* of(unsigned thread) const { return buffers_.at(thread).data(); }
  [[nodiscard]] std::uint64_t bytes_per_thread() const { return buffers_.front().size(); }
  [[nodiscard]] bool huge_pages_granted() const { return buffers_.front().huge_pages_granted(); }

 private:
  std::vector<platform::PageBuffer> buffers_;
};

/// Where a kernel's arrays lie in a thread's buffer and how far one sample walks through them.
struct Walk {
  std::uint64_t array_bytes = 0;  ///< of each array: whole turns of the inner loop
  std::uint64_t stride = 0;       ///< from one array to the next
  std::uint64_t turns = 1;        ///< of the inner loop per sample and repetition
  std::uint64_t repetitions = 1;
  std::uint64_t pieces = 1;  ///< parts of the set; sample s works on part s modulo pieces
};

/// Arrays one behind the other, their beginnings spread over a page: at equal offsets in a page a
/// load can be taken to depend on an earlier store. `set_bytes` 0 gives one turn.
[[nodiscard]] Walk lay_out(const JitKernel& kernel, unsigned arrays, std::uint64_t set_bytes);

/// Samples that walk through `bytes` of the arrays, at least 1.
[[nodiscard]] std::uint64_t samples_through(const Walk& walk, unsigned arrays, std::uint64_t bytes);

/// Bytes that the arrays of this walk take in a buffer.
[[nodiscard]] std::uint64_t extent(const Walk& walk, unsigned arrays);

/// The walk with samples of about `sample_time`, when one pass through the whole set takes
/// `pass_time` (for a compute kernel: one turn): whole passes again and again, or, when one pass is
/// too long, one piece after the other.
[[nodiscard]] Walk fit(Walk walk, Seconds pass_time, Seconds sample_time);

/// What the rates of a kernel count, per turn of its loop: flops or operations of a compute kernel,
/// bytes asked for, or, for a latency, accesses that wait for each other.
[[nodiscard]] std::uint64_t work_per_turn(const Kernel& kernel, const LoopWork& loop);

/// Samples of one kernel, in the order in which they were taken.
struct Measured {
  std::vector<double> rates;         ///< all threads together: work_per_turn() per second
  std::vector<double> clocks;        ///< Hz, mean of the threads, beside each rate
  std::vector<double> burst_cycles;  ///< of the load burst, the slowest thread, beside each rate
  std::vector<unsigned> visits;      ///< number of the visit that each rate belongs to
  std::uint64_t thrown_away = 0;
  bool threads_apart = false;  ///< there are no rates, since no threads ever ran at once

  /// The samples of the next visit.
  void append(const Measured& visit);
};

/// The clocks beside the samples of one visit, each the mean over itself and up to two neighbours
/// on either side that differ from it by at most 1 %. A probe scatters by the steps of the counter
/// that it reads; the clock stays for longer than a sample. Without this the highest work per cycle
/// is that of the probes that read lowest.
[[nodiscard]] std::vector<double> smoothed(const std::vector<double>& clocks);

/// One stay with one kernel.
struct Turn {
  const PlannedKernel* planned = nullptr;
  Seconds budget{};  ///< warm-up included
};

class Runner {
 public:
  /// `placement`: CPUs for threads 0, 1, ...
  Runner(std::vector<unsigned> placement, platform::ClockProbe probe);

  /// Takes samples, turn after turn; all turns have the same number of threads, which are started
  /// once. Code, memory and sample length are kept for later calls with the same kernel. When
  /// `stop` says so, the rest is left out and the result shorter than `turns`. Errors: no memory,
  /// no executable memory, threads that cannot be pinned.
  [[nodiscard]] Result<std::vector<Measured>> run(const std::vector<Turn>& turns,
                                                  const std::function<bool()>& stop = {});

  /// All buffers for `threads` threads will have at least this size. Call before the first run.
  void reserve(unsigned threads, std::uint64_t bytes_per_thread);
  [[nodiscard]] bool huge_pages_granted() const { return huge_pages_granted_; }

  /// Per turn of the planned kernel's inner loop.
  [[nodiscard]] Result<LoopWork> loop_work(const PlannedKernel& planned);
  [[nodiscard]] const platform::ClockProbe& probe() const { return probe_; }

 private:
  struct Prepared {
    JitKernel kernel;
    const ThreadBuffers* buffers = nullptr;
    Walk walk;
    std::uint64_t warm_ups = 1;
    std::uint64_t next_sample = 0;
    std::shared_ptr<Traversal> traversal;  ///< in place of buffers, for what does not go straight
    bool touch_first = false;              ///< the set is read once, in order, before a visit

    void run(unsigned thread, std::uint64_t sample) const;
  };

  [[nodiscard]] Result<const JitKernel*> code_for(const PlannedKernel& planned);
  [[nodiscard]] Result<const ThreadBuffers*> buffers_for(unsigned threads, std::uint64_t bytes);
  [[nodiscard]] Result<Prepared*> prepare(const PlannedKernel& planned);
  [[nodiscard]] Result<Prepared> prepare_straight(const PlannedKernel& planned,
                                                  const JitKernel& code);
  [[nodiscard]] Result<Prepared> prepare_traversal(const PlannedKernel& planned,
                                                   const JitKernel& code);
  [[nodiscard]] Result<std::shared_ptr<const TraversalMemory>> traversal_memory(
      const PlannedKernel& planned);
  [[nodiscard]] Result<Seconds> pass_time(const Prepared& prepared) const;
  [[nodiscard]] std::vector<unsigned> cpus(unsigned threads) const;

  std::vector<unsigned> placement_;
  platform::ClockProbe probe_;
  std::map<std::string, JitKernel> code_;
  std::map<unsigned, std::uint64_t> reserved_;
  std::map<unsigned, ThreadBuffers> buffers_;
  std::map<std::string, std::shared_ptr<const TraversalMemory>> traversal_memory_;
  std::map<std::string, Prepared> prepared_;
  bool huge_pages_granted_ = true;
};

}  // namespace ridge::bench
