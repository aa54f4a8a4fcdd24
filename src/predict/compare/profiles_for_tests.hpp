// Profiles made by hand for the tests of comparisons.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/value/profile.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict::testing {

/// A profile on a Zen 4 whose regions get ids in the order in which they are added.
class ProfileBuilder {
 public:
  ProfileBuilder() {
    profile.ridge_version = "0.1.0";
    profile.date = "2026-01-31T12:00:00Z";
    profile.program.argv = {"./a", "100"};
    profile.machine = zen4();
    profile.processes.push_back({1, {"./a"}, 0, std::nullopt, std::nullopt});
    Region program = region_named("a");
    program.kind = RegionKind::program;
    program.function = "a";
    add(program);
    took(1.0);
  }

  Region& add(Region region) {
    region.id = static_cast<std::uint32_t>(profile.regions.size());
    profile.regions.push_back(std::move(region));
    return profile.regions.back();
  }

  std::uint32_t function(const std::string& name, unsigned line, std::uint32_t process = 0) {
    Region region = region_named(name);
    region.kind = RegionKind::function;
    region.function = name;
    region.file = "a.cpp";
    region.line = line;
    region.process = process;
    return add(region).id;
  }

  /// `flops` of 8 byte loaded for each, in `flops` / 2 iterations.
  std::uint32_t loop(std::uint32_t parent, const std::string& name, unsigned line,
                     std::uint64_t flops = 0, unsigned column = 3) {
    Region region = region_named(name);
    region.function = name;
    region.file = "a.cpp";
    region.line = line;
    region.column = column;
    region.parent = parent;
    region.process = profile.regions[parent].process;
    region.entries = 1;
    region.iterations = std::max<std::uint64_t>(1, flops / 2);
    if (flops > 0) {
      work_of(region).add(Precision::fp64, OperationKind::fma, 512, flops);
      region.bytes_loaded = 8 * flops;
      region.traffic["L1"] = {8 * flops, 0};
      region.traffic["DRAM"] = {4 * flops, 0};
    }
    return add(region).id;
  }

  Region& operator[](std::uint32_t id) { return profile.regions[id]; }

  /// The whole program, measured once.
  void took(double seconds) {
    const SampledTime time{Seconds(seconds), Seconds(seconds), Seconds(seconds), 1000};
    profile.regions[0].time_seconds = {time, time};
    profile.program.wall_seconds = Seconds(seconds);
  }

  void took(std::uint32_t id, double seconds, double spread = 0.05) {
    const SampledTime time{Seconds(seconds), Seconds(seconds * (1.0 - spread)),
                           Seconds(seconds * (1.0 + spread)), 200};
    profile.regions[id].time_seconds = {time, time};
  }

  Profile profile;
};

/// Every line moved by as much.
inline Profile shifted(Profile profile, unsigned by) {
  for (Region& region : profile.regions) {
    if (region.line) {
      *region.line += by;
    }
  }
  return profile;
}

/// The regions in another order, with their ids.
inline Profile shuffled(Profile profile, unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(profile.regions.begin(), profile.regions.end(), random);
  return profile;
}

/// Functions, nests, several contexts and processes; often alike, sometimes the same.
inline Profile random_profile(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  ProfileBuilder builder;
  builder.profile.processes.push_back({2, {"./b"}, 0, std::nullopt, std::nullopt});
  const unsigned functions = 1 + pick(6);
  unsigned line = 1;
  for (unsigned f = 0; f < functions; ++f) {
    const std::string name = "f" + std::to_string(pick(4));
    const std::uint32_t function = builder.function(name, line += 1 + pick(9), pick(1));
    std::vector<std::uint32_t> open{function};
    for (unsigned l = pick(5); l > 0; --l) {
      const std::string inner = pick(3) == 0 ? "g" + std::to_string(pick(2)) : name;
      open.push_back(builder.loop(open[pick(static_cast<unsigned>(open.size()) - 1)], inner,
                                  line += pick(3), 500 * pick(4), 1 + pick(2)));
    }
  }
  return std::move(builder.profile);
}

}  // namespace ridge::predict::testing
