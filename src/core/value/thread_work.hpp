// How the work of one region was spread over threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"

namespace ridge {

/// A sampled time with its 80 % interval; or one that was measured as a whole, without samples, as
/// other tools do: then the interval is that of repetitions, or the value itself.
struct SampledTime {
  Seconds value{};
  Seconds low{};
  Seconds high{};
  std::uint64_t samples = 0;  ///< 0: measured as a whole

  friend bool operator==(const SampledTime&, const SampledTime&) = default;
};

/// Whether the time rests on `least` samples, or on none because it was measured as a whole.
[[nodiscard]] constexpr bool is_well_known(const SampledTime& time, std::uint64_t least) {
  return time.samples == 0 || time.samples >= least;
}

/// What one thread did in a region itself (children excluded). Threads that follow one another may
/// share a number: they never ran at once.
struct ThreadWork {
  std::uint32_t thread = 0;  ///< in order of creation within the process, from 0
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;       ///< loaded and stored
  std::uint64_t iterations = 0;  ///< of a loop
  std::optional<SampledTime> cpu_seconds;

  friend bool operator==(const ThreadWork&, const ThreadWork&) = default;
};

enum class BalanceOf { flops, bytes, iterations, cpu_seconds };
[[nodiscard]] std::string_view to_string(BalanceOf quantity);

/// max / mean over the threads: 1 = even, the number of threads = one did all. The region could be
/// done in 1 / max_over_mean of the time if the work were spread evenly.
struct Imbalance {
  BalanceOf quantity = BalanceOf::flops;
  double max_over_mean = 1.0;
  unsigned threads = 0;

  friend bool operator==(const Imbalance&, const Imbalance&) = default;
};

/// Of FLOPs or, where there are none, of bytes, else of iterations. nullopt with fewer than two
/// threads or without any of the three.
[[nodiscard]] std::optional<Imbalance> work_imbalance(const std::vector<ThreadWork>& threads);

/// Of CPU time. nullopt with fewer than two threads, and where less than kBalanceSamples samples a
/// thread would show their own noise as imbalance.
constexpr std::uint64_t kBalanceSamples = 100;
[[nodiscard]] std::optional<Imbalance> cpu_imbalance(const std::vector<ThreadWork>& threads);

}  // namespace ridge
