// Rates that all cores hold for seconds: short samples run before power limits act.
#pragma once

#include <functional>
#include <optional>

#include "bench/runner.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// Keeps the threads of `planned` busy with its loop for `duration`, in samples of 1 ms. nullopt
/// when `stop` ended it before it was over. Errors: as Runner::run().
[[nodiscard]] Result<std::optional<Sustained>> sustain(Runner& runner, const PlannedKernel& planned,
                                                       Seconds duration,
                                                       const std::function<bool()>& stop);

/// From samples in the order of time: rate and clock of the second half, clock of the first tenth.
/// nullopt for fewer than 20.
[[nodiscard]] std::optional<Sustained> make_sustained(const PlannedKernel& planned,
                                                      const Measured& held, Seconds duration);

}  // namespace ridge::bench
