// A measured program on machines that it did not run on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/value/note.hpp"
#include "core/value/prediction.hpp"

namespace ridge {

/// How many cores a projection takes.
enum class CoresThere {
  as_here,  ///< every loop as many as it had threads here
  whole,    ///< loops that had most threads here: all of the target
  chosen,   ///< the same loops: as many as the user says
};
[[nodiscard]] std::string_view to_string(CoresThere cores);

/// What a loop needs of a device beside the roof, where it ran on a CPU here.
struct DeviceTerms {
  double iterations = 0.0;  ///< independent ones of one kernel, if the whole nest is one
  double lanes = 0.0;       ///< of the device: fewer iterations leave some without work
  double launches = 0.0;    ///< if the whole nest is one kernel
  std::optional<double> launch_seconds;    ///< all of them; absent: no latency is known
  std::optional<double> transfer_seconds;  ///< footprint over the link, once; absent: not known

  friend bool operator==(const DeviceTerms&, const DeviceTerms&) = default;
};

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
  /// Of the time there: all that MachineProjection::interval_of names. `high` absent: not known.
  std::optional<double> low_seconds;
  std::optional<double> high_seconds;
  std::optional<DeviceTerms> device;  ///< of a GPU: parts of all times above
  std::optional<double> fraction;     ///< of that bound here: what stays the same
  std::optional<double> intensity;    ///< flop/byte at the memory there
  std::vector<Note> notes;

  friend bool operator==(const ProjectedRegion&, const ProjectedRegion&) = default;
};

struct MachineProjection {
  std::string machine;  ///< key
  std::string name;
  bool published = false;  ///< by published figures, not by measured ceilings
  CoresThere cores_are = CoresThere::as_here;
  unsigned cores = 1;  ///< most that a region uses there; multiprocessors of a GPU
  std::vector<ProjectedRegion> regions;  ///< those with time, in the order of the profile
  std::optional<double> ideal_seconds;   ///< of the whole program
  std::optional<double> seconds;         ///< calibrated
  /// Sums of those of the regions; `high` absent: that of a region is not known.
  std::optional<double> low_seconds;
  std::optional<double> high_seconds;
  std::vector<std::string> interval_of;  ///< what the intervals span, a few words each
  double projected_share = 0.0;          ///< of the time here: the rest is taken to last as long
  bool simulated = false;                ///< all traffic is that of its caches
  Level memory = Level::DRAM;
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
