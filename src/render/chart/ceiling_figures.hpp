// A machine and its ceilings as words and figures; terminal and HTML tables share them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/value/machine.hpp"

namespace ridge::render {

/// One row of a table of ceilings; unknown figures are "-". Clean text.
struct CeilingFigures {
  std::string what;  ///< "AVX-512 FMA fp64", "DRAM copy AVX-512"
  std::string_view unit;
  std::string quoted;  ///< p90; of a latency p10: the end that nobody disturbed
  std::string traffic;
  std::string median;
  std::optional<double> spread;  ///< (high - low) / median: width of the 80 % interval
  std::string_view origin;
  std::string flags;
};
[[nodiscard]] CeilingFigures figures_of(const Ceiling& ceiling, bool unicode = true);

/// Percent of theory: "98.7%"; "105.0%!" for a ceiling flagged above its limit, "100.4%~" for one
/// that is above it by less than the clock is known; "-" without a limit.
[[nodiscard]] std::string limit_words(const Ceiling& ceiling);

/// "2 cores, 2 threads; L1 32 KiB, L2 1 MiB, L3 32 MiB": one line, clean. Of a machine that an
/// imported file does not describe: "number of cores unknown".
[[nodiscard]] std::string topology_line(const Machine& machine, bool unicode = true);

/// "core 3.71 GHz (measured), TSC 2.60 GHz"; empty when neither is known.
[[nodiscard]] std::string clock_line(const Machine& machine);

}  // namespace ridge::render
