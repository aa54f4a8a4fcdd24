// The regions of a profile on a target with so many cores, by one reading of its figures. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/projection/project.hpp"
#include "predict/projection/project_region.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/traffic_there.hpp"

namespace ridge::predict {

/// How many cores the loops with most threads run on.
struct CoresChoice {
  CoresThere are = CoresThere::as_here;
  std::optional<unsigned> most;  ///< absent: as many as they had threads here
};

/// One without a choice of the user's for a device; else as here, and all that the target has where
/// that is more.
[[nodiscard]] std::vector<CoresChoice> cores_choices(const Profile& profile,
                                                     const ProjectionTarget& target,
                                                     const ProjectionChoices& choices);

/// A region with time, and how many cores it runs on there.
struct PlacedRegion {
  const Region* region = nullptr;
  unsigned cores = 1;
};

/// Those with time, in the order of the profile. Published machines lend no more cores than they
/// have.
[[nodiscard]] std::vector<PlacedRegion> place_regions(const Profile& profile,
                                                      const ProjectionTarget& target,
                                                      std::optional<unsigned> most);

/// Most threads of a region with time; at least 1.
[[nodiscard]] unsigned most_threads(const std::vector<Region>& regions);

[[nodiscard]] bool is_cpu(const ProjectionTarget& target);

/// What a projection onto one target takes.
struct Elsewhere {
  const Profile& profile;
  const Microarchitecture* pipes = nullptr;  ///< of the machine of the profile; null: unknown
  const ProjectionTarget& target;
  const Latencies& latencies;
  TrafficSource traffic;
};

struct RegionsThere {
  std::map<unsigned, Machine> machines;  ///< by number of cores; at least one
  std::vector<ProjectedRegion> regions;  ///< each of those that were placed
};

[[nodiscard]] RegionsThere regions_there(const std::vector<PlacedRegion>& placed,
                                         const Elsewhere& elsewhere, const PublishedUse& use);

/// The target's figures can be read in several ways where they leave the clock, a bandwidth or the
/// share of the part open: those that differ from `use` (its cores: the most that the program runs
/// on), with a few words on what they span. `here`: whose cache levels
/// stand for those that the target's figures do not tell.
struct OtherReadings {
  std::vector<PublishedUse> uses;
  std::vector<std::string> span;
};
[[nodiscard]] OtherReadings other_readings(const ProjectionTarget& target, const PublishedUse& use,
                                           const Machine& here);

/// What one core draws from a level, byte/s; nullopt where loads on one thread were not measured.
[[nodiscard]] std::optional<double> drawn_here(const Machine& machine, Level level);

/// Each interval spans that of `other` as well.
void widen(std::vector<ProjectedRegion>& regions, const std::vector<ProjectedRegion>& other);

}  // namespace ridge::predict
