// A profile with findings made by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "predict/findings/next_steps.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict::testing {

/// A profile with findings as the rules would make them.
struct Made {
  Profile profile;
  Prediction prediction;

  explicit Made(double wall_seconds) {
    profile.machine.topology.emplace().threads = 64;
    profile.program.wall_seconds = Seconds(wall_seconds);
  }

  Region& add(const std::string& function, double seconds, RegionKind kind = RegionKind::loop) {
    Region region;
    region.id = static_cast<std::uint32_t>(profile.regions.size());
    region.kind = kind;
    region.name = region.function = function;
    took(region, seconds);
    region.cpu_seconds.self = region.time_seconds.self;
    profile.regions.push_back(region);
    prediction.regions.push_back({.region = region.id});
    return profile.regions.back();
  }

  Region& add_wait(const std::string& function, double wall, double cpu) {
    Region& region = add(function, wall, RegionKind::library);
    region.name = "omp wait";
    region.cpu_seconds.self->value = Seconds(cpu);
    return region;
  }

  Finding& found(std::string code, double least, double most) {
    Finding finding;
    finding.code = std::move(code);
    finding.gain = most;
    finding.gain_least = least < most ? std::optional(least) : std::nullopt;
    prediction.regions.back().findings.push_back(finding);
    return prediction.regions.back().findings.back();
  }

  [[nodiscard]] std::vector<NextStep> steps() const { return next_steps(profile, prediction); }
};

}  // namespace ridge::predict::testing
