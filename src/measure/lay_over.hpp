// Measured figures of another source laid on the regions of a profile: level by level, in the place
// of what was simulated or counted there. Pure.
#pragma once

#include <string>
#include <vector>

#include "measure/combine.hpp"
#include "measure/match_regions.hpp"

namespace ridge::measure {

struct LaidOver {
  Profile result;
  std::vector<std::string> laid;           ///< names of regions that got figures
  std::vector<UnmatchedRegion> unmatched;  ///< of `measured`: no region is this one for certain
};

/// Lays work, bytes and traffic of `measured` on the regions of `profile` that are the same code:
/// those that match_regions() joins; else a marker, function or kernel whose name is the function
/// or the name of exactly one region that has no other inside. Each figure keeps its origin
/// (Region::origins, Region::traffic_origins), and a note of the region, "imported", says what it
/// was before. Times stay those of `profile`, except in regions that have none: seconds of two runs
/// do not add up. Levels that the machine of `profile` lacks are left out, with a note
/// "unknown-level". A region that `measured` saw and that has no partner is listed, and nothing of
/// it is taken.
[[nodiscard]] LaidOver lay_over(const Profile& profile, const SourcedProfile& measured);

}  // namespace ridge::measure
