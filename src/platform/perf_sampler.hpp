// Samples of perf events, with the mapping that each address belonged to at its time.
#pragma once

#include <map>
#include <set>

#include "platform/memory_maps.hpp"
#include "platform/perf_events.hpp"
#include "platform/sample_source.hpp"

namespace ridge::platform {

class PerfSampler final : public SampleSource {
 public:
  /// `running`: the processes that are sampled already, none where all begins with an exec.
  PerfSampler(PerfEvents events, std::chrono::nanoseconds interval,
              const std::vector<pid_t>& running);

  void stop() override { events_.stop(); }
  [[nodiscard]] std::vector<AddressSample> take(bool is_last) override;
  [[nodiscard]] std::vector<StackSample> take_stacks() override;
  void add(const std::vector<AddressSample>& samples) override;
  [[nodiscard]] std::vector<pid_t> processes() override;
  void append_mappings(std::vector<CodeMapping>& known) override;
  [[nodiscard]] std::chrono::nanoseconds interval() const override { return interval_; }
  [[nodiscard]] std::uint64_t lost() const override { return lost_; }
  [[nodiscard]] std::uint64_t throttled() const override { return throttled_; }

 private:
  void digest(PerfRecord& record, std::vector<AddressSample>& into);
  void begin(const PerfRecord& record);
  void end(const PerfRecord& record);
  [[nodiscard]] AddressSample located(AddressSample sample);
  [[nodiscard]] StackSample located_stack(PerfRecord record);
  void look_at_maps(pid_t pid);

  PerfEvents events_;
  std::chrono::nanoseconds interval_;
  std::vector<PerfRecord> pending_;
  std::vector<StackSample> stacks_;
  std::vector<AddressSample> added_;  ///< in the order of time
  AddressSpaces spaces_;
  std::map<pid_t, unsigned> threads_;         ///< how many each process has
  std::map<pid_t, std::uint64_t> looked_at_;  ///< when /proc/PID/maps was read last
  std::set<pid_t> doubtful_;                  ///< of these a mapping may be among the lost records
  std::uint64_t lost_ = 0;
  std::uint64_t throttled_ = 0;
};

}  // namespace ridge::platform
