// Which region of one result is which region of another: by function, name and position, never by
// line alone. The rules: docs/decisions/0130-matching-loops.md.
#pragma once

#include <cstddef>
#include <vector>

#include "core/value/comparison.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// Positions in Profile::regions.
struct RegionMatch {
  std::size_t before = 0;
  std::size_t after = 0;
  MatchedBy by = MatchedBy::position;

  friend bool operator==(const RegionMatch&, const RegionMatch&) = default;
};

/// Regions that have several equally good partners.
struct AmbiguousRegions {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;

  friend bool operator==(const AmbiguousRegions&, const AmbiguousRegions&) = default;
};

struct Matching {
  std::vector<RegionMatch> matches;  ///< ascending `before`
  std::vector<AmbiguousRegions> ambiguous;
};

/// One to one, and the same whichever result is called `before`. The order of the regions in a
/// profile does not matter. Only regions with `open_*` set are looked at (sizes as the profiles').
[[nodiscard]] Matching match_regions(const Profile& before, const std::vector<bool>& open_before,
                                     const Profile& after, const std::vector<bool>& open_after);

[[nodiscard]] Matching match_regions(const Profile& before, const Profile& after);

}  // namespace ridge::predict
