// From samples to a ceiling: order statistics, traffic, limit, flags. Pure.
#pragma once

#include "bench/limits.hpp"
#include "bench/plan.hpp"
#include "bench/runner.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// Flags that a ceiling may carry.
namespace flag {
/// p90 above the limit by more, or by no more, than the clock probe's uncertainty.
inline constexpr const char* kAboveLimit = "above-limit";
inline constexpr const char* kAtLimit = "at-limit";
inline constexpr const char* kUnsteady = "unsteady";       ///< median below 0.85 * p90
inline constexpr const char* kDisturbed = "disturbed";     ///< p90 not known within the tolerance
inline constexpr const char* kFewSamples = "few-samples";  ///< fewer than 10
inline constexpr const char* kBimodal = "bimodal";         ///< samples gather around two values
inline constexpr const char* kCacheSize = "cache-size-unconfirmed";  ///< the sweep disagrees
inline constexpr const char* kWriteAllocate = "write-allocate-uncertain";
inline constexpr const char* kNoHugePages = "no-huge-pages";
inline constexpr const char* kUntested = "untested-kernel";  ///< Ridge's authors had no such CPU
inline constexpr const char* kClockProbe = "clock-probe-inconsistent";
}  // namespace flag

/// What is known besides the samples.
struct CeilingContext {
  const Machine& machine;                     ///< for caches, their policies and cores
  const Microarchitecture* theory = nullptr;  ///< nullptr: no limits
  std::vector<Level> unconfirmed_levels;
  bool huge_pages = true;
  bool clock_probe_holds = true;
  double clock_uncertainty = 0.0;  ///< platform::ClockProbe::uncertainty()
};

/// The clock that belongs to the p90 of the rates: the p90 of the rates over the p90 of the work
/// per cycle. The clock changes from sample to sample, and the rate with it: the p90 of all clocks,
/// or of the clocks of the fastest samples, need not come from the same moments.
[[nodiscard]] Hertz clock_of_p90(const Measured& measured);

/// `loop` is the work per turn of the kernel's loop, `measured` holds at least one sample. `value`
/// is the asked-for rate; `traffic_value` (bandwidth) contains the write-allocate traffic; `limit`
/// is the limit per cycle times clock_of_p90 times the cores in use.
[[nodiscard]] Ceiling make_ceiling(const PlannedKernel& planned, const LoopWork& loop,
                                   const Measured& measured, const CeilingContext& context);

/// Adds a ceiling as measured by `planned` and returns its place. Where the kernel has two forms
/// (Kernel::free_adds) and the other one is there already, the one with the higher p90 stays;
/// nullopt if that is the other one.
std::optional<std::size_t> add_better_form(std::vector<Ceiling>& ceilings,
                                           const PlannedKernel& planned, Ceiling next);

}  // namespace ridge::bench
