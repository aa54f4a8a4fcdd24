// One loop that the rules of findings are tried on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "predict/findings/findings.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict::testing {

constexpr double kTen = 10.0;  // seconds of the example

/// One loop in a function that was entered once; a machine with a clock and latencies.
struct Case {
  Profile profile;
  Microarchitecture cpu = zen4_pipes();
  Prediction prediction;  ///< of the last call of findings()

  Case() {
    profile.machine = zen4();
    profile.machine.clock.core = exactly<Hertz>(kZen);
    Microarchitecture::IsaLimits limits;
    limits.isa = Isa::scalar;
    limits.latency_cycles = {.fma = 4.0, .add = 3.0, .mul = 3.0};
    limits.div_cycles = {.fp64 = 5.0, .fp32 = 3.5};
    cpu.isas = {limits};
    Region function = region_named("f");
    function.kind = RegionKind::function;
    function.id = 1;
    function.entries = 1;
    Region loop = region_named("loop");
    loop.id = 2;
    loop.parent = 1;
    loop.entries = 1;
    loop.iterations = kMega;
    loop.traffic[Level::DRAM] = {0, 0};  // known
    took(loop, kTen);
    loop.cpu_seconds.self = loop.time_seconds.self;
    profile.regions = {function, loop};
  }

  /// 20 samples are enough to compare with.
  void samples(std::uint64_t count) {
    loop().time_seconds.self->samples = count;
    loop().cpu_seconds.self->samples = count;
  }
  void reads(Level level, double bytes) {
    loop().traffic[level] = {static_cast<std::uint64_t>(bytes), 0};
  }
  void add_latency(Level level, double seconds) {
    Ceiling ceiling = ceiling_of({LatencyKey{level, Pattern::chase_huge, 1}});
    ceiling.value = Estimate<Seconds>{
        Seconds(seconds), Seconds(seconds), Seconds(seconds), Seconds(seconds), 100,
        Origin::measured};
    profile.machine.ceilings.push_back(ceiling);
  }
  /// Multiplies all ceilings whose id contains `part`.
  void scale(std::string_view part, double by) {
    for (Ceiling& ceiling : profile.machine.ceilings) {
      if (ceiling.id.find(part) == std::string::npos) {
        continue;
      }
      const auto multiply = [by](auto& estimate) { estimate.p90 = estimate.p90 * by; };
      std::visit(multiply, ceiling.value);
      if (ceiling.traffic_value) {
        std::visit(multiply, *ceiling.traffic_value);
      }
    }
  }

  Region& loop() { return profile.regions.at(1); }
  Region& function() { return profile.regions.at(0); }

  std::vector<Finding> findings() {
    prediction = predict(profile, &cpu);
    return prediction.regions.at(1).findings;
  }
  /// Of the loop; nullptr without one. Valid until the next call.
  [[nodiscard]] const Finding* find(std::string_view code) {
    findings();
    for (const Finding& finding : prediction.regions.at(1).findings) {
      if (finding.code == code) {
        return &finding;
      }
    }
    return nullptr;
  }
};

}  // namespace ridge::predict::testing
