// What was in the way of measuring, in words. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "bench/quiet_wait.hpp"
#include "bench/runner.hpp"
#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "platform/conditions.hpp"

namespace ridge::bench {

/// What the system granted and took away while measuring.
struct Conditions {
  unsigned allowed_cpus = 1;
  unsigned online_cpus = 0;     ///< 0: not known
  std::optional<double> quota;  ///< CPUs that the control group grants
  std::optional<platform::CpuTimes> before;
  std::optional<platform::CpuTimes> after;
  bool huge_pages = true;
  bool sysfs = true;
  bool theory = true;  ///< the CPU is known
  std::vector<TooLarge> too_large;
  std::optional<double> clock_drift;      ///< see clock_drift()
  std::optional<std::string> node_error;  ///< why a pair of NUMA nodes is not measured
  std::vector<std::string> apart;         ///< ceilings whose threads never ran at once
  Waited waited;                          ///< before measuring
};

/// Code of the note that names the ceilings that are absent since their threads never ran at once.
inline constexpr const char* kThreadsApart = "threads-apart";

/// The clock in the last third of a run over that in the first: the middle of this ratio over all
/// samples given, each in the order of time. nullopt for fewer than 3 rows of 30 samples.
[[nodiscard]] std::optional<double> clock_drift(const std::vector<const Measured*>& rows);

/// Notes for the machine file. `machine` holds its ceilings and sustained rates.
[[nodiscard]] std::vector<Note> notes_of(const Conditions& conditions, const Machine& machine);

}  // namespace ridge::bench
