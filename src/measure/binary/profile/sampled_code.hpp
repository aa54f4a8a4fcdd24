// Samples of program counters as they are kept during a run: which thread was where, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/address_sample.hpp"

namespace ridge::measure::binary {

/// A place in the code of the program.
struct SampledPlace {
  std::uint32_t file = 0;    ///< index into SampledCode::files
  std::uint64_t offset = 0;  ///< in the file; of code without a file its address in memory

  friend bool operator==(const SampledPlace&, const SampledPlace&) = default;
};

/// A thread was seen at one place at `end`, for the first time since `begin`. A sleeper was there
/// since then. A thread that was awake was there for its weight; of the time before that it waited
/// for a CPU, or slept where nobody looked (sampled_times() tells the two apart).
struct SampledMoment {
  std::uint64_t begin = 0;  ///< [ns], CLOCK_MONOTONIC
  std::uint64_t end = 0;
  std::uint32_t weight = 0;  ///< [ns] CPU time; 0 while asleep
  std::uint32_t place = 0;   ///< index into SampledCode::places
  std::uint32_t thread = 0;  ///< index into SampledCode::threads
  bool asleep = false;
  bool in_kernel = false;
};

struct SampledThread {
  pid_t pid = 0;
  pid_t tid = 0;
  std::uint32_t process = 0;  ///< index into SampledCode::processes
  /// Ready to run while others had the CPU, as the kernel counted; nullopt: unknown.
  std::optional<std::uint64_t> waiting_nanoseconds;

  friend bool operator==(const SampledThread&, const SampledThread&) = default;
};

/// Places that a thread's stack goes through: where it was, the call that led there, and so on
/// outwards. Indices into SampledCode::places.
using PlaceStack = std::vector<std::uint32_t>;

/// The kernel marks files that were deleted or replaced since; counts know them by their name.
[[nodiscard]] std::string_view file_now(std::string_view path);

struct SampledCode {
  std::vector<std::string> files;  ///< paths; empty: code that was made at run time
  std::vector<SampledPlace> places;
  std::vector<SampledThread> threads;  ///< in the order in which they were seen
  std::vector<pid_t> processes;        ///< in the same order
  std::vector<SampledMoment> moments;  ///< of each thread in the order of time
  std::vector<PlaceStack> stacks;      ///< some, each as likely as any other
  /// Of the run that counts, for equal numbers of blocks. Empty where the engine looks at none.
  std::vector<PlaceStack> counted_stacks;
};

/// Collects them. Memory stays bounded: when there are too many, moments that follow one another
/// in a thread are joined by twos, at the place of the later one.
class SampleCollector {
 public:
  /// `most`: moments that are kept.
  explicit SampleCollector(std::uint64_t begin_nanoseconds, std::size_t most = kMost);

  /// In the order of time.
  void add(std::span<const platform::AddressSample> samples,
           std::span<const platform::CodeMapping> mappings);
  /// What the kernel counted of a thread in code() so far.
  void set_waiting(std::size_t thread, std::uint64_t nanoseconds) {
    code_.threads.at(thread).waiting_nanoseconds = nanoseconds;
  }
  [[nodiscard]] const SampledCode& code() const { return code_; }
  [[nodiscard]] SampledCode finish() { return std::move(code_); }

  static constexpr std::size_t kMost = std::size_t{1} << 24U;  ///< 512 MiB

 private:
  struct PlaceHash {
    std::size_t operator()(const SampledPlace& place) const {
      return std::hash<std::uint64_t>()(place.offset * 0x9E3779B97F4A7C15U + place.file);
    }
  };

  [[nodiscard]] std::uint32_t file_of(const std::string& path);
  [[nodiscard]] std::uint32_t place_of(const platform::AddressSample& sample,
                                       std::span<const platform::CodeMapping> mappings);
  [[nodiscard]] std::uint32_t thread_of(const platform::AddressSample& sample);
  void thin_out();

  std::uint64_t begin_;
  std::size_t most_;
  SampledCode code_;
  std::map<std::string, std::uint32_t> files_;
  std::unordered_map<SampledPlace, std::uint32_t, PlaceHash> places_;
  std::map<std::pair<pid_t, pid_t>, std::uint32_t> threads_;
  std::map<pid_t, std::uint32_t> processes_;
  std::vector<std::uint64_t> last_;  ///< by thread: end of its last moment
};

}  // namespace ridge::measure::binary
