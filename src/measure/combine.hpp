// Figures of one program from several sources in one Profile: time from one, counts from another.
// Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "measure/match_regions.hpp"
#include "measure/region_figures.hpp"

namespace ridge::measure {

/// By name of the source. A group that is not here comes from the first profile that has figures of
/// it; CPU time from the one that gives the time, if that has it.
using FigureChoice = std::map<FigureGroup, std::string>;

/// A region that stands in the result with the figures of one source, though others gave figures
/// of the program too.
struct UnmatchedRegion {
  std::string source;         ///< the only one that saw it
  std::string name;           ///< best_name() there
  bool is_ambiguous = false;  ///< another saw regions like it, and which one is not certain

  friend bool operator==(const UnmatchedRegion&, const UnmatchedRegion&) = default;
};

struct Combined {
  SourcedProfile result;  ///< its source: all names, "a + b"
  std::vector<UnmatchedRegion> unmatched;
};

/// One profile from `profiles` of the same program, in order of preference. Each group of figures
/// comes from one source as a whole, the program's with those of its regions: sums stay sums, and
/// rates, intensities and fractions stay ratios of sums of one kind. Regions are joined by
/// match_regions(). Those that have no partner stay apart under the parent that they had, with a
/// note "not-joined" that says which figures are unknown for that; a source that gives no group
/// adds nothing.
///
/// How the program ended, its wall time and the machine are those of the source of the time;
/// origins and simulated caches those of the sources of the figures; notes are those of all, with
/// one, "combined", that says what is from where.
/// Where one source gives everything, its profile comes back as it is.
///
/// Errors: bad_input when there is no profile, when `choice` names a source that is not among them,
/// or one that has no figures of that group.
[[nodiscard]] Result<Combined> combine(const std::vector<SourcedProfile>& profiles,
                                       const FigureChoice& choice = {});

}  // namespace ridge::measure
