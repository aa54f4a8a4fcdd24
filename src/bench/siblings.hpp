// All hyperthreads of one core together.
#pragma once

#include <vector>

#include "bench/plan.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "platform/clock.hpp"

namespace ridge::bench {

/// Ceilings of one thread that its siblings may change: fp64 fma and L1 loads of the widest
/// instruction set.
[[nodiscard]] bool is_of_siblings(const PlannedKernel& planned, Isa widest);

/// `planned`, a ceiling of one thread, on all of `cpus` at once, which share a core; each thread
/// has its part of the set. Errors: as Runner::run().
/// nullopt where the hyperthreads never ran at once.
[[nodiscard]] Result<std::optional<Siblings>> measure_siblings(const PlannedKernel& planned,
                                                               const std::vector<unsigned>& cpus,
                                                               const platform::ClockProbe& clock,
                                                               Seconds budget);

}  // namespace ridge::bench
