// Which regions a report shows, in which order, with the figures that table and chart share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"

namespace ridge::render {

/// A region's figures at one level of the memory hierarchy. Unknown traffic is absent everywhere.
struct LevelFigures {
  std::optional<double> bytes;      ///< read + written across the boundary
  std::optional<double> intensity;  ///< flop/byte
  std::optional<double> bytes_per_second;
  bool unbounded = false;  ///< work, but the boundary is never crossed
  /// From some lines for all, which may not speak for them; that none of them crosses the boundary
  /// says little of the others.
  bool doubtful = false;
};

/// Work, intensities and rates are those of Selection::work.
struct ShownRegion {
  const Region* region = nullptr;
  const RegionPrediction* prediction = nullptr;  ///< nullptr when there is none
  std::string name;                              ///< of all regions: distinct_names
  unsigned rank = 0;                             ///< 1 = most time; same number in chart and table
  std::optional<double> share;                   ///< of the program's time
  bool uncertain = false;                        ///< has the note "uncertain-share"
  bool has_work = false;                         ///< at least one operation in 1000 bytes
  /// Absent, as rates of bytes are, of what sleeps or works in the kernel.
  std::optional<double> flops_per_second;
  std::vector<LevelFigures> levels;  ///< as Selection::levels
  /// Index into them of the level that binds: that of the roof of the code where this is a
  /// bandwidth; elsewhere the level whose traffic takes longest at its roof, else the outermost one
  /// that is crossed. nullopt without traffic.
  std::optional<std::size_t> binding;
  std::optional<double> gain;  ///< speed-up of the program, if this region reached its roof
};

struct Selection {
  std::vector<Level> levels;       ///< L1 outwards, memory nodes included
  std::vector<ShownRegion> shown;  ///< by descending time
  std::size_t omitted = 0;         ///< regions with time that are not shown
  std::optional<double> omitted_share;
  std::size_t timeless = 0;  ///< regions without time, not shown
  bool by_time = true;       ///< false: nothing has a time, ordered by work instead
  CountedWork work = CountedWork::flops;
};

/// Whether a figure of some shown region is doubtful.
[[nodiscard]] bool has_doubtful_figures(const Selection& selection);

/// Whether the region does one operation in 1000 bytes or more: a dot for less would stretch a
/// chart by decades.
[[nodiscard]] bool has_notable_work(const Region& region, CountedWork work = CountedWork::flops);

/// Rows of a table of regions: a longer list scrolls away; page and files have the rest.
inline constexpr std::size_t kMostTableRows = 40;

/// What `select_regions` shows of the time where nothing else is asked for.
inline constexpr double kShownShare = 0.95;

/// Regions (loops, functions, libraries) that make up `shown_share` of the time, at most
/// `most_rows`, and behind them as many of those whose figures contain others (Region::overlaps);
/// or, where `only` names some by their ids, all those. Ranks are the same either way. L1 traffic
/// that was not simulated is what was loaded and stored.
[[nodiscard]] Selection select_regions(const Profile& profile, const Prediction& prediction,
                                       std::size_t most_rows,
                                       const std::vector<std::uint32_t>& only = {},
                                       double shown_share = kShownShare,
                                       CountedWork work = CountedWork::flops);
Selection select_regions(Profile&&, const Prediction&, std::size_t,
                         const std::vector<std::uint32_t>& = {}, double = kShownShare,
                         CountedWork = CountedWork::flops) = delete;  // it points into it

/// Wall time that shares are taken of: the run's, else that of the program region, of sampling, or
/// the sum over the regions.
[[nodiscard]] std::optional<double> program_seconds(const Profile& profile);

}  // namespace ridge::render
