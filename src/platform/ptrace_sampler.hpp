// Samples by stopping the threads of a program for a moment, where perf events are forbidden.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <tl/expected.hpp>

#include "platform/memory_maps.hpp"
#include "platform/sample_source.hpp"

namespace ridge::platform {

struct PtraceRequest {
  std::chrono::nanoseconds interval = std::chrono::milliseconds(10);  ///< 10 ms at least
  bool from_exec = false;  ///< nothing before the next exec
  /// Stops those that sleep as well. For tests of what that does to their system calls: look at
  /// sleepers with Sleepers, which leaves them alone.
  bool stops_sleepers = false;
};

/// What the tracing thread writes and the others take.
struct PtraceResults {
  std::mutex mutex;
  AddressSpaces spaces;
  std::vector<AddressSample> samples;
  std::map<pid_t, std::uint64_t> looked_at;  ///< processes, and when their maps were read last
  std::set<pid_t> processes;                 ///< that are sampled

  /// Adds it with its mapping; the mutex is held.
  void add(AddressSample sample);
};

/// A thread of its own traces the program: the kernel ties that to a thread. Signals, stops by job
/// control and system calls go on as without it; a program with set-user-ID bit that is started
/// while traced does not get its rights, and no debugger can attach. The program must not be a
/// child of ours: whoever of this process waits for it would be handed the stops that are for the
/// tracer.
class PtraceSampler final : public SampleSource {
 public:
  /// The error is the errno of ptrace: EPERM where it is forbidden, or somebody else traces the
  /// program; ESRCH when it has ended. EAGAIN, ENOMEM: no thread or timer.
  [[nodiscard]] static tl::expected<std::unique_ptr<PtraceSampler>, int> attach(
      pid_t program, const PtraceRequest& request);

  PtraceSampler(const PtraceSampler&) = delete;
  PtraceSampler& operator=(const PtraceSampler&) = delete;
  PtraceSampler(PtraceSampler&&) = delete;
  PtraceSampler& operator=(PtraceSampler&&) = delete;
  ~PtraceSampler() override;

  void stop() override;
  [[nodiscard]] std::vector<AddressSample> take(bool is_last) override;
  void add(const std::vector<AddressSample>& samples) override;
  [[nodiscard]] std::vector<pid_t> processes() override;
  void append_mappings(std::vector<CodeMapping>& known) override;
  [[nodiscard]] std::chrono::nanoseconds interval() const override { return interval_; }
  [[nodiscard]] std::uint64_t lost() const override { return 0; }
  [[nodiscard]] std::uint64_t throttled() const override { return 0; }

 private:
  explicit PtraceSampler(std::chrono::nanoseconds interval) : interval_(interval) {}

  std::chrono::nanoseconds interval_;
  PtraceResults results_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace ridge::platform
