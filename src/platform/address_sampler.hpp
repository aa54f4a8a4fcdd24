// Where a program that runs as it is spends its time: its program counters, thread by thread, seen
// from outside, its descendants included.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <sys/types.h>
#include <vector>

#include "core/result.hpp"
#include "platform/address_sample.hpp"
#include "platform/stack_sample.hpp"

namespace ridge::platform {

class SampleSource;
class Sleepers;

enum class SamplingMethod {
  perf_events,            ///< time in the kernel is that of the user instruction that caused it
  perf_events_user_only,  ///< time in the kernel is not sampled
  ptrace,                 ///< at most 100 times a second; weights are by the clock, not of the CPU
};

struct SamplingRequest {
  std::chrono::nanoseconds interval = std::chrono::milliseconds(1);
  /// The program is held by ProcessOptions::before_exec: sampling begins with its first exec.
  /// Otherwise it begins at once, with the threads and descendants that there are.
  bool from_exec = false;
  /// Only this one; nullopt: the best one that is not forbidden.
  std::optional<SamplingMethod> method;
  /// From one stack of a thread to the next; 0: none are looked at. ptrace looks at none.
  std::chrono::nanoseconds stack_interval{0};
};

/// All calls by one thread. Whoever drops one ends the sampling; the program goes on.
class AddressSampler {
 public:
  /// The program is a descendant of ours, started by ProcessTree: under ptrace nobody of this
  /// process may wait for it. Errors (unavailable, with a hint): it has ended; this system forbids
  /// all methods, or the one asked for; no open files or memory left for them.
  [[nodiscard]] static Result<AddressSampler> attach(pid_t program, const SamplingRequest& request);

  AddressSampler(AddressSampler&& other) noexcept;
  AddressSampler& operator=(AddressSampler&& other) noexcept;
  AddressSampler(const AddressSampler&) = delete;
  AddressSampler& operator=(const AddressSampler&) = delete;
  ~AddressSampler();

  [[nodiscard]] SamplingMethod method() const { return method_; }
  /// Between two samples of a thread; under ptrace at least.
  [[nodiscard]] std::chrono::nanoseconds interval() const;

  /// What was sampled since the last call, but for the last two milliseconds, in the order of time.
  /// To be called some 20 times a second: what the buffers have no room for is lost.
  [[nodiscard]] std::vector<AddressSample> take();
  /// Ends the sampling and hands over what is left.
  [[nodiscard]] std::vector<AddressSample> finish();
  /// The stacks of the time up to the last take() or finish().
  [[nodiscard]] std::vector<StackSample> take_stacks();
  /// Adds a sample for each thread that sleeps now, which the clocks above do not see. To be called
  /// as often as the caller likes; does nothing within 10 ms of the last look, or longer where
  /// there are thousands of threads.
  void look_at_sleepers();

  /// What AddressSample::mapping counts; samples of take() and finish() only refer to what is here
  /// after them. Only ever grows.
  [[nodiscard]] const std::vector<CodeMapping>& mappings() const { return mappings_; }
  /// Records for which the buffers had no room: samples, mostly.
  [[nodiscard]] std::uint64_t lost() const;
  /// How often the kernel held back samples because they took too much of its time.
  [[nodiscard]] std::uint64_t throttled() const;

 private:
  AddressSampler(SamplingMethod method, std::unique_ptr<SampleSource> source);

  SamplingMethod method_;
  std::unique_ptr<SampleSource> source_;
  std::unique_ptr<Sleepers> sleepers_;
  std::vector<CodeMapping> mappings_;
};

}  // namespace ridge::platform
