// Sampled traffic: which lines are simulated, and whether what they say may be trusted
// (docs/decisions/0080 and 0145). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/layout.h"
#include "core/value/note.hpp"

namespace ridge::measure {

/// What a run that simulates says of one process, indexed by region alike.
struct SimulatedTraffic {
  std::vector<ridge_region_traffic> traffic;  ///< empty without simulation
  /// Empty when nothing was sampled: what came to `traffic` from sampled lines, each for
  /// `sample_weight` lines, and how even the pilot found the region.
  std::vector<ridge_region_traffic> sampled;
  std::vector<ridge_region_pilot> pilot;
  std::uint64_t sample_weight = 1;
  std::size_t memory_boundary = 0;  ///< index into `crossed`; known where something was sampled
};

/// 8 of the 64 classes of lines, or nullopt where too few classes never meet in a set. The same for
/// every run, so that results can be reproduced.
[[nodiscard]] std::optional<std::uint64_t> sample_mask(const ridge_cache_config& caches);

/// Traffic of sampled lines, times the lines that each of them stands for.
[[nodiscard]] ridge_region_traffic weighted(ridge_region_traffic sampled, std::uint64_t weight);

/// Traffic of all lines: the exact part, and each sampled line for as many as it stands for.
[[nodiscard]] ridge_region_traffic all_lines(const SimulatedTraffic& process, std::size_t region);

/// Whether a part of the region's traffic comes from sampled lines.
[[nodiscard]] bool is_sampled(const SimulatedTraffic& process, std::size_t region);

/// Why the sampled part of the region's traffic may be wrong, for people; nullopt when it may be
/// trusted.
[[nodiscard]] std::optional<Note> distrust(const SimulatedTraffic& process, std::size_t region);

/// That traffic was sampled, and how even the loops are that it is trusted for; nullopt when it is
/// exact.
[[nodiscard]] std::optional<Note> sampling_note(
    const std::vector<const SimulatedTraffic*>& processes);

/// Where a sampled run cannot stand: the share that regions which are not trusted have in the
/// program's traffic at the boundary where that is largest.
struct UntrustedShare {
  double share = 0.0;
  std::size_t boundary = 0;  ///< index into ridge_region_traffic::crossed
};
/// `growth`: by what factor the figures of a run that goes on will still grow. Loops that are only
/// unproven so far, by too few lines, then count where they will have too few at its end.
[[nodiscard]] UntrustedShare untrusted_share(const std::vector<const SimulatedTraffic*>& processes,
                                             double growth = 1.0);

/// Above this share, `auto` runs the program once more, exactly.
inline constexpr double kUntrustedMost = 0.02;

}  // namespace ridge::measure
