// A profile on other machines: for each loop and the whole program the time at the roof there, and
// as far from it as here. Pure. Formulas and assumptions: docs/theory/projection.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/value/caches_elsewhere.hpp"
#include "core/value/profile.hpp"
#include "core/value/projection.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

struct ProjectionTarget {
  TargetMachine machine;
  /// Of a published machine; of a measured one they stand in it. Absent: unknown.
  std::optional<CachesElsewhere> caches;
};

struct ProjectionChoices {
  /// That regions with most threads run on there; absent: as many as they had threads here, and
  /// beside it all that the target has.
  std::optional<unsigned> cores;
  Basis basis = Basis::theoretical;  ///< of published figures, where both are known
  /// s, for each entry of a loop, by level or "compute"; for each kernel of a GPU "launch", for
  /// each transfer the link's name.
  std::map<std::string, double, std::less<>> latencies = {};
};

/// Names that ProjectionChoices::latencies can have for this target.
[[nodiscard]] std::vector<std::string> latency_keys(const TargetMachine& target);

/// `microarchitecture`: of the machine of the profile; null: unknown.
[[nodiscard]] Projection project(const Profile& profile, const Microarchitecture* microarchitecture,
                                 const std::vector<ProjectionTarget>& targets,
                                 const ProjectionChoices& choices = {});

}  // namespace ridge::predict
