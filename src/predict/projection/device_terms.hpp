// A loop of a CPU on a GPU: whether it has enough independent iterations, and what starting it and
// sending its data take. Pure. Rules and sources: docs/theory/projection.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/profile.hpp"
#include "core/value/projection.hpp"
#include "core/value/target_machine.hpp"
#include "predict/projection/project_region.hpp"

namespace ridge::predict {

/// The link over which data of the host come.
inline constexpr std::string_view kHostLink = "PCIe";

/// At both ends of what neither profile nor machine file says.
struct DevicePlacement {
  std::optional<std::string> refused;  ///< why the loop has no time there; else:
  DeviceTerms terms;                   ///< the whole nest is one kernel, its data cross once
  /// Share of the resident threads that the iterations of the loop itself fill, in (0, 1].
  double least_filled = 1.0;
  /// Launches for each entry of the loop itself, its data there and back for each launch of the
  /// nest, from pageable memory. Absent: not known, see `unknown`.
  std::optional<double> most_seconds;
  std::vector<std::string> unknown;  ///< what the time lacks, a few words each
};

/// `region` of `profile`, measured on a CPU. `latencies`: "launch" and names of links.
[[nodiscard]] DevicePlacement place_on_device(const Region& region, const Profile& profile,
                                              const TargetMachine& device,
                                              const Latencies& latencies);

/// Adds the terms to the times and the interval of `projected`, or takes its times where it is
/// refused.
void add_device_terms(ProjectedRegion& projected, const DevicePlacement& placement);

}  // namespace ridge::predict
