// What the samples of one process add up to. Pure: fed with stacks of region ids and with times.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "measure/instrumented/regions.hpp"

namespace ridge::measure {

/// Every stack of region ids that was ever seen, each once. A node is a stack; 0 is the empty one.
/// Below its regions a stack has the markers that its thread was in (kMarkerBase).
class StackTable {
 public:
  StackTable();
  /// The stack `node` with `region` on top.
  [[nodiscard]] std::uint32_t push(std::uint32_t node, std::uint32_t region);
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  [[nodiscard]] std::uint32_t region(std::uint32_t node) const { return nodes_[node].region; }
  /// Whether no region lies below it on the stack: markers lie below all of them.
  [[nodiscard]] bool is_outermost(std::uint32_t node) const {
    return parent(node) == 0 || region(parent(node)) >= kMarkerBase;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

 private:
  struct Node {
    std::uint32_t parent;
    std::uint32_t region;
  };
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
};

/// Thread-seconds of waiting in the OpenMP runtime, by cause (WaitCauses).
struct WaitSeconds {
  double imbalance = 0.0;
  double serial = 0.0;
  double oversubscribed = 0.0;
  double busy = 0.0;
  double unexplained = 0.0;

  [[nodiscard]] double sum() const {
    return imbalance + serial + oversubscribed + busy + unexplained;
  }
};

/// Times of one region, in seconds.
struct RegionTimes {
  double wall_self = 0.0;       ///< with at least one thread in it
  double wall_inclusive = 0.0;  ///< ... or in what it called or encloses
  double cpu_self = 0.0;        ///< summed over threads
  double cpu_inclusive = 0.0;
  double waited_self = 0.0;      ///< for a CPU, summed over threads
  std::uint64_t ticks_self = 0;  ///< samples of the process that saw it
  std::uint64_t ticks_inclusive = 0;
  std::uint64_t cpu_samples_self = 0;  ///< samples of threads that used the CPU in it
  std::uint64_t cpu_samples_inclusive = 0;
  unsigned threads_self = 0;  ///< most at once
  unsigned threads_inclusive = 0;
  WaitSeconds waits;    ///< of a region that waits
  double caused = 0.0;  ///< thread-seconds that others waited for it
  double share = 0.0;   ///< of the wall time: all regions sum to the time in which any was seen

  struct Cpu {
    double seconds = 0.0;
    std::uint64_t samples = 0;
    double waited = 0.0;  ///< seconds ready to run, while others had the CPU
  };
  std::map<std::uint32_t, Cpu> cpu_self_by_thread;  ///< key: ordinal of the thread
};

/// What the threads of a process have to share CPUs with.
struct CpusOfProcess {
  unsigned cpus = 0;               ///< that its threads may run on; 0: unknown
  unsigned threads_elsewhere = 0;  ///< of other measured processes, most at once
};

/// Of Accumulator::add_tick; kNoTick: nobody was in a region.
using TickId = std::uint32_t;
constexpr TickId kNoTick = std::numeric_limits<TickId>::max();

class Accumulator {
 public:
  [[nodiscard]] StackTable& stacks() { return stacks_; }
  [[nodiscard]] const StackTable& stacks() const { return stacks_; }

  /// One look at all threads: `nodes` are their stacks (empty ones may be left out), which stand
  /// for the last `seconds` of wall time. `idle`: of threads in no region, the outermost frame of
  /// the stack that they were last seen with. `processes`: how many were seen in regions then, this
  /// one included.
  TickId add_tick(std::vector<std::uint32_t> nodes, double seconds,
                  const std::vector<std::uint32_t>& idle = {}, unsigned processes = 1);
  /// The thread with this ordinal used the CPU for `seconds` with the stack `node`, seen in
  /// `samples` samples.
  void add_cpu(std::uint32_t node, double seconds, std::uint64_t samples, std::uint32_t thread = 0);

  /// The thread was ready to run for `seconds` with the stack `node`, while others had the CPU: in
  /// the look `tick`.
  void add_wait(std::uint32_t node, double seconds, std::uint32_t thread = 0,
                TickId tick = kNoTick);
  /// From now on a region without a wait did not wait.
  void waits_are_known() { waits_known_ = true; }
  [[nodiscard]] bool waits_known() const { return waits_known_; }

  /// By index into `table`.
  [[nodiscard]] std::vector<RegionTimes> resolve(const RegionTable& table,
                                                 const CpusOfProcess& cpus = {}) const;

  [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }
  [[nodiscard]] std::uint64_t cpu_samples() const { return cpu_samples_; }
  [[nodiscard]] unsigned most_threads() const { return most_threads_; }
  /// Words that the table of different ticks holds: what grows without bound in a long, busy run.
  [[nodiscard]] std::size_t size_words() const { return words_; }

 private:
  struct TickSum {
    double seconds = 0.0;
    double share = 0.0;  ///< of the seconds: other processes were seen at the same time
    std::uint64_t count = 0;
    TickId id = kNoTick;
  };
  /// By stack: threads that were seen with it used next to no CPU, and were not ready for one.
  [[nodiscard]] std::vector<bool> asleep() const;
  void add_shares(const RegionTable& table, const CpusOfProcess& cpus,
                  std::vector<RegionTimes>& times) const;

  StackTable stacks_;
  /// Key: sorted nodes, then those of idle threads, marked.
  std::map<std::vector<std::uint32_t>, TickSum> ticks_by_stacks_;
  /// Seconds ready without a CPU. Key: id of the tick << 32 | node.
  std::unordered_map<std::uint64_t, double> waited_by_tick_;
  /// Key: node << 32 | ordinal of the thread.
  std::unordered_map<std::uint64_t, RegionTimes::Cpu> cpu_by_stack_;
  std::uint64_t ticks_ = 0;
  double cpu_seconds_ = 0.0;
  std::uint64_t cpu_samples_ = 0;
  unsigned most_threads_ = 0;
  bool waits_known_ = false;
  std::size_t words_ = 0;
};

/// Spreads readings of a CPU clock that is only brought up to date now and then (at the scheduler's
/// ticks) over the samples between two changes.
class CpuShare {
 public:
  CpuShare() = default;
  /// Of the thread with this ordinal.
  explicit CpuShare(std::uint32_t thread) : thread_(thread) {}

  /// The thread was seen with this stack in the look `tick`; the sample stands for `wall_seconds`.
  void sample(std::uint32_t node, double wall_seconds, TickId tick = kNoTick);
  /// The clock stands at `nanoseconds`. When it moved, the difference goes to the waiting samples
  /// in proportion to their wall time; older ones than the difference can explain are taken as
  /// off the CPU and get none. The first reading only sets the zero. `waited`: the kernel's count
  /// of the nanoseconds that the thread was ready to run, but others ran; what it grew by goes to
  /// the samples off the CPU (the rest of which were blocked).
  void reading(std::uint64_t nanoseconds, Accumulator& into,
               std::optional<std::uint64_t> waited = std::nullopt);

 private:
  void share_out(double used, double waited, Accumulator& into);

  struct Sample {
    std::uint32_t node;
    TickId tick;
    double seconds;
  };
  std::deque<Sample> waiting_;
  std::uint32_t thread_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t last_waited_ = 0;
  bool has_last_ = false;
};

}  // namespace ridge::measure
