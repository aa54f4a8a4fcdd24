// `ridge bench`: every roof of this machine, measured.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernel_table.hpp"
#include "bench/runner.hpp"
#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// The samples behind one ceiling (or one point of a measured roof), in the order in which they
/// were taken.
struct RawSamples {
  const Ceiling& ceiling;
  const Measured& all;             ///< rates in the unit of the ceiling; of a point, in byte/s
  const std::vector<bool>& quiet;  ///< of each sample: see sort_out()
  const Measured& kept;            ///< what the ceiling was made from
};

/// What is going to be measured, before the first sample.
struct Outline {
  std::size_t ceilings = 0;
  std::size_t roofs = 0;      ///< measured roofs, of about 15 points each
  std::size_t sustained = 0;  ///< loops that are held for seconds
  Seconds wall{};             ///< at most about so long
};

struct Options {
  Effort effort = Effort::quick;
  std::vector<unsigned> thread_counts;                ///< empty: as PlanOptions says
  std::vector<std::string> only;                      ///< words of Selection; empty: everything
  std::optional<Seconds> budget;                      ///< of wall time; absent: of the effort
  std::optional<Seconds> quiet_limit;                 ///< waits so long for others; absent: not
  std::function<bool()> stop;                         ///< asked often; yes: keep what is done
  std::function<void(const Outline&)> on_outline;     ///< may be empty
  std::function<void(const RawSamples&)> on_samples;  ///< may be empty
};

struct Progress {
  std::size_t done = 0;  ///< of the budget, in ms; it may be over sooner
  std::size_t total = 0;
  std::string what;  ///< how many ceilings are known well enough, how long it may take
};

/// Fills in what was measured of a machine described by platform::describe_machine(); with
/// `theory`, also the cache policies and the limits. Without it there are no limits. Runs threads
/// on the CPUs this process may use. Stopped early, the machine is marked incomplete. Errors:
/// `usage` for thread counts that the machine does not have, words of `only` that are not known or
/// leave nothing; `unavailable` for a CPU without AVX, no memory, no executable memory, threads
/// that cannot be pinned, a stop before anything was measured.
[[nodiscard]] Result<Machine> characterise(Machine description, const Microarchitecture* theory,
                                           const Options& options,
                                           const std::function<void(const Progress&)>& on_progress);

}  // namespace ridge::bench
