// Which of a machine's ceilings a chart shows.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"

namespace ridge::render {

/// A pattern that moves more bytes across the boundary to memory than the roof drawn for it says.
struct HigherPattern {
  Level level = Level::DRAM;
  const Ceiling* roof = nullptr;
  const Ceiling* higher = nullptr;
};

/// "the DRAM roof is that of load, 34.0 GB/s; nt-copy moves 49.0 GB/s: ...": one clean sentence.
[[nodiscard]] std::string words_of(const HigherPattern& pattern);

/// The sentence on one level's roof of so many threads.
struct AboveRoof {
  unsigned threads = 1;
  Level level = Level::DRAM;
  std::string sentence;
};

struct CeilingChoice {
  unsigned threads = 1;
  std::string precision = "fp64";  ///< with the most work in the program; kIntegers: of both widths
  std::vector<std::pair<Level, const Ceiling*>> bandwidths;  ///< by level, L1 outwards
  std::vector<const Ceiling*> compute;                       ///< descending; the first is the roof
  /// Of memory, by more than 5 %, with as many threads: the highest of each level.
  std::vector<HigherPattern> higher_patterns;
};

/// In place of a precision: the ceilings of adding and multiplying integers of 32 and 64 bits.
inline constexpr std::string_view kIntegers = "integers";

/// p90 of the rate across the boundary where it is known, else of the rate asked for.
[[nodiscard]] double traffic_rate(const Ceiling& ceiling);

/// Bandwidth: the load pattern (any other where there is none) of the best instruction set.
/// Compute: the highest (of those within noise the widest, widest_within_noise()), then at most
/// five lower ones that stand at least 10 % apart; of the integers where these are counted. At the
/// program's thread count, or the next lower one that was measured, or the lowest.
[[nodiscard]] CeilingChoice choose_ceilings(const Profile& profile,
                                            CountedWork work = CountedWork::flops);
CeilingChoice choose_ceilings(Profile&&, CountedWork = CountedWork::flops) = delete;

/// The same for this number of threads, or the next lower one that was measured, or the lowest.
[[nodiscard]] CeilingChoice choose_ceilings(const Machine& machine, std::string precision,
                                            const std::vector<Level>& levels, unsigned threads);
CeilingChoice choose_ceilings(Machine&&, std::string, const std::vector<Level>&,
                              unsigned) = delete;  // the choice points into the profile

/// For every number of threads that was measured, ascending: what a chart whose reader chooses the
/// threads has to say.
[[nodiscard]] std::vector<AboveRoof> patterns_above_roofs(const Machine& machine);

}  // namespace ridge::render
