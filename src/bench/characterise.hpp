// `ridge bench`: every ceiling of this machine, measured.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/runner.hpp"
#include "core/machine.hpp"
#include "core/result.hpp"
#include "core/units.hpp"

namespace ridge::bench {

/// The samples behind one ceiling, in the order in which they were taken.
struct RawSamples {
  const Ceiling& ceiling;
  const Measured& all;             ///< rates in the unit of the ceiling
  const std::vector<bool>& quiet;  ///< of each sample: see sort_out()
  const Measured& kept;            ///< what the ceiling was made from
};

struct Options {
  bool quick = true;
  std::vector<unsigned> thread_counts;                ///< empty: 1 and all
  Seconds budget{12.0};                               ///< of wall time, about; not always needed
  std::function<bool()> stop;                         ///< asked often; yes: keep what is done
  std::function<void(const RawSamples&)> on_samples;  ///< may be empty
};

struct Progress {
  std::size_t done = 0;  ///< of the budget, in ms; it may be over sooner
  std::size_t total = 0;
  std::string what;  ///< how many ceilings are known well enough
};

/// Fills `clock` and `ceilings` of a machine described by platform::describe_machine(); with
/// `theory`, also the cache policies and the limits. Without it there are no limits. Runs threads
/// on the CPUs this process may use. Errors: `usage` for thread counts that the machine does not
/// have; `unavailable` for the full set (not there yet), a CPU without AVX, no memory, no
/// executable memory, threads that cannot be pinned.
[[nodiscard]] Result<Machine> characterise(Machine description, const Microarchitecture* theory,
                                           const Options& options,
                                           const std::function<void(const Progress&)>& on_progress);

}  // namespace ridge::bench
