// A measured program on machines that it did not run on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/note.hpp"
#include "core/value/prediction.hpp"

namespace ridge {

struct ProjectedRegion {
  std::uint32_t region = 0;  ///< Region::id
  unsigned cores = 1;        ///< that it runs on there
  bool simulated = false;    ///< its traffic is that of the caches there, not of those here
  std::optional<std::string> missing;   ///< why there is no time: "no fp16 peak known"
  std::optional<Bound> bound;           ///< there (docs/contracts.md, section 3); no fraction
  std::optional<double> ideal_seconds;  ///< at that bound
  /// As far from the bound there as here: measured time x bound there / bound here, both by the
  /// resources whose rates are known on both machines.
  std::optional<double> seconds;
  std::optional<double> fraction;   ///< of that bound here: what stays the same
  std::optional<double> intensity;  ///< flop/byte at the memory there
  std::vector<Note> notes;

  friend bool operator==(const ProjectedRegion&, const ProjectedRegion&) = default;
};

struct MachineProjection {
  std::string machine;  ///< key
  std::string name;
  bool published = false;                ///< by published figures, not by measured ceilings
  std::vector<ProjectedRegion> regions;  ///< those with time, in the order of the profile
  std::optional<double> ideal_seconds;   ///< of the whole program
  std::optional<double> seconds;         ///< calibrated
  double projected_share = 0.0;          ///< of the time here: the rest is taken to last as long
  bool simulated = false;                ///< all traffic is that of its caches
  std::string memory;                    ///< level
  /// With the most cores that a region uses there, for a chart: absent where not known.
  std::optional<double> flops_per_second;
  std::optional<double> bytes_per_second;  ///< of the memory, loads
  std::vector<Note> notes;

  friend bool operator==(const MachineProjection&, const MachineProjection&) = default;
};

struct Projection {
  double seconds_here = 0.0;                ///< wall time of the program
  std::string precision;                    ///< of most of its work; empty: no work
  std::vector<MachineProjection> machines;  ///< shortest calibrated time first, unknown ones last
  std::vector<std::string> assumptions;

  friend bool operator==(const Projection&, const Projection&) = default;
};

}  // namespace ridge
