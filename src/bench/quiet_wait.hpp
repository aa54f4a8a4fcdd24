// Waits, before anything is measured, until other programs leave the CPUs alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernel_table.hpp"
#include "core/quantity/units.hpp"

namespace ridge::bench {

struct QuietHooks {
  /// CPUs' worth of time that others take, over a look of some 100 ms; nullopt: cannot be known.
  std::function<std::optional<double>()> busy_cpus;
  std::function<Seconds()> elapsed;                             ///< since the waiting began
  std::function<bool()> stop;                                   ///< may be empty
  std::function<void(double busy_cpus, Seconds left)> on_wait;  ///< may be empty
};

struct Waited {
  Seconds time{};
  double busy_cpus = 0.0;  ///< at the last look
  bool quiet = true;       ///< others took less than a quarter of a CPU, or it is not known
};

/// Looks until it is quiet, for at most `limit`, at least once. Pure: looks through the hooks.
[[nodiscard]] Waited wait_for_quiet(Seconds limit, const QuietHooks& hooks);

/// Looks at these CPUs in /proc/stat for 0.3 s at a time; the waiting begins now.
[[nodiscard]] QuietHooks hooks_of(std::vector<unsigned> cpus, std::function<bool()> stop,
                                  std::function<void(const std::string& what)> progress);

/// How long a measurement of this effort may wait.
[[nodiscard]] Seconds quiet_limit(Effort effort);

}  // namespace ridge::bench
