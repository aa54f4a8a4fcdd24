// Looks into the running program from outside: no signal, no helper thread, nothing that the
// program could notice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "measure/instrumented/accumulate.hpp"
#include "measure/instrumented/arena_view.hpp"
#include "measure/instrumented/fault_shares.hpp"
#include "measure/profile/placement.hpp"
#include "measure/run/task_stat.hpp"

namespace ridge::measure {

struct ProcessSamples {
  std::uint64_t record = 0;  ///< offset of the process record in the arena
  Accumulator samples;
  std::map<std::uint32_t, CpuSet> cpus_by_thread;  ///< that it may run on; key: its ordinal
  FaultShares faults;
  std::uint64_t fault_readings = 0;  ///< of all threads at once; 0: the kernel's counts are unknown
};

struct SampleSet {
  std::vector<ProcessSamples> processes;
  std::uint64_t ticks = 0;
  double sampled_seconds = 0.0;     ///< wall time that the ticks stand for
  double attributed_seconds = 0.0;  ///< of it with at least one thread in a region
  /// Summed over threads: ready to run, but others had the CPU; nullopt: the kernel does not tell.
  std::optional<double> waited_seconds;
  unsigned most_threads = 0;  ///< in regions at once, over all processes
};

class Sampler {
 public:
  /// `arena` is shared with the measured program and must stay mapped.
  explicit Sampler(ArenaBytes arena);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler();

  /// Looks at all threads of all processes once. The picture stands for the last `seconds`; of the
  /// `missed` seconds before them there is none.
  void tick(double seconds, double missed = 0.0);

  /// Words of memory used; the caller samples less often when this grows.
  [[nodiscard]] std::size_t size_words() const;

  [[nodiscard]] SampleSet finish();

 private:
  struct ThreadState;
  struct ProcessState;

  void find_processes();
  void look_after(ProcessState& process);
  void find_threads(ProcessState& process);
  void look_at_threads(ProcessState& process);
  void add_samples(ProcessState& process, unsigned processes, double seconds, double missed);
  void read_clocks(ProcessState& process);
  void read_faults(ProcessState& process);

  ArenaBytes arena_;
  std::uint64_t newest_process_ = 0;
  std::vector<std::unique_ptr<ProcessState>> processes_;
  SampleSet totals_;
};

}  // namespace ridge::measure
