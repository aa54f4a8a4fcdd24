// From moments of threads to times of regions. Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "measure/binary/profile/sampled_code.hpp"

namespace ridge::measure::binary {

inline constexpr std::uint32_t kNoRegion = std::numeric_limits<std::uint32_t>::max();

/// All in seconds. Inclusive: with the regions inside.
struct RegionSeconds {
  double wall = 0.0;  ///< with at least one thread in it; asleep ones only where none is awake
  double wall_inclusive = 0.0;
  double cpu = 0.0;
  double cpu_inclusive = 0.0;
  double asleep = 0.0;  ///< part of `wall`: nobody was awake
  double kernel = 0.0;  ///< part of `cpu`
  /// Ready to run while others had the CPU, summed over threads; 0 where the kernel does not tell.
  double waited = 0.0;
  double share = 0.0;  ///< of the wall time an equal part for each thread at work
  std::uint64_t samples = 0;
  std::uint64_t samples_inclusive = 0;
  std::uint64_t cpu_samples = 0;
  std::uint64_t cpu_samples_inclusive = 0;
  /// Most threads at once, for at least a twentieth of its time.
  unsigned threads = 0;
  std::map<std::uint32_t, double> cpu_by_thread;  ///< awake threads alone
  std::map<std::uint32_t, std::uint64_t> samples_by_thread;
};

struct SampledTimes {
  std::vector<RegionSeconds> regions;
  double sampled = 0.0;     ///< wall time in which somebody was seen anywhere
  double attributed = 0.0;  ///< ... in a region
  std::uint64_t samples = 0;
  std::uint64_t cpu_samples = 0;
  double cpu = 0.0;
  std::optional<double> waited;  ///< of all threads of which the kernel told
  unsigned most_threads = 0;     ///< awake at once, for at least a twentieth of the time
};

/// `region_of_place`: by place, kNoRegion where it is in none. `parents`: by region, smaller than
/// its own index; their number is that of the regions.
[[nodiscard]] SampledTimes sampled_times(const SampledCode& code,
                                         std::span<const std::uint32_t> region_of_place,
                                         std::span<const std::optional<std::uint32_t>> parents);

}  // namespace ridge::measure::binary
