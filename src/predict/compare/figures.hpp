// The quantities of a region that are compared, and what a change of one means.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/comparison.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// What is known of time, rate, work, bytes, traffic, intensity, trip counts, always in this order.
/// Spreads: docs/decisions/0131-spread-of-a-change.md.
/// `levels`: levels_of(profile), which looks at all regions.
[[nodiscard]] std::vector<RegionFigure> figures_of(const Region& region, const Profile& profile,
                                                   const std::vector<Level>& levels);

/// Which kinds of quantities can be held against each other.
struct Comparable {
  bool times = true;    ///< the same machine
  bool traffic = true;  ///< of the same caches
};

/// Of figures of one quantity; at least one is not null.
[[nodiscard]] Change change_of(const RegionFigure* before, const RegionFigure* after,
                               const Comparable& comparable);

/// One change for each quantity that either side knows, in the order of figures_of.
[[nodiscard]] std::vector<Change> changes_of(const std::vector<RegionFigure>& before,
                                             const std::vector<RegionFigure>& after,
                                             const Comparable& comparable);

/// "traffic" for "traffic.DRAM".
[[nodiscard]] std::string_view family_of(std::string_view quantity);
/// "DRAM" for "traffic.DRAM"; empty for "time".
[[nodiscard]] std::string_view part_of(std::string_view quantity);

/// All that can be named: "time", "flops", "traffic.LEVEL" ...
[[nodiscard]] std::vector<std::string> quantity_names();

/// By level below the first: the size of the cache inside that boundary, or of the one before the
/// last where that is smaller.
[[nodiscard]] std::map<Level, std::uint64_t> traffic_floors_of(const Machine& machine);

}  // namespace ridge::predict
