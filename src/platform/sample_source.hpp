// What perf events and ptrace have in common for AddressSampler.
#pragma once

#include <chrono>
#include <cstdint>
#include <sys/types.h>
#include <vector>

#include "platform/address_sample.hpp"
#include "platform/stack_sample.hpp"

namespace ridge::platform {

/// Samples from its making to stop(). All is called by one thread.
class SampleSource {
 public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  SampleSource(SampleSource&&) = delete;
  SampleSource& operator=(SampleSource&&) = delete;
  virtual ~SampleSource() = default;

  virtual void stop() = 0;
  /// What was sampled since the last call, in the order of time. What is too new for its order to
  /// be certain stays for the next call, unless this is the last one.
  [[nodiscard]] virtual std::vector<AddressSample> take(bool is_last) = 0;
  /// Those that lie before the last take(), in the order of time. Empty where none are sampled.
  [[nodiscard]] virtual std::vector<StackSample> take_stacks() { return {}; }
  /// Samples of another origin, for take(): their mappings are looked up.
  virtual void add(const std::vector<AddressSample>& samples) = 0;
  /// The processes that are sampled now, as far as is known.
  [[nodiscard]] virtual std::vector<pid_t> processes() = 0;
  /// Appends the mappings that `known` does not have yet: those from known.size() on.
  virtual void append_mappings(std::vector<CodeMapping>& known) = 0;
  [[nodiscard]] virtual std::chrono::nanoseconds interval() const = 0;
  [[nodiscard]] virtual std::uint64_t lost() const = 0;
  [[nodiscard]] virtual std::uint64_t throttled() const = 0;
};

/// CLOCK_MONOTONIC.
[[nodiscard]] std::uint64_t monotonic_nanoseconds();

}  // namespace ridge::platform
