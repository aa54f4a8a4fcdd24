#include "render/random_profile_for_tests.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>

#include "render/fixture_for_tests.hpp"

namespace ridge::render::fixture {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : engine_(seed) {}

  Profile profile() {
    Profile made;
    made.program.argv = {"./random"};
    made.program.wall_seconds = Seconds(10.0);
    made.machine = zen4();
    vary(made.machine);
    const unsigned count = 1 + static_cast<unsigned>(unit() * 79.0);
    // In a heap, or over decades.
    const double decades = unit() < 0.5 ? 0.3 : 3.0;
    const double centre = 8.5 + 2.0 * unit();
    const double skew = unit() < 0.3 ? 1.0 : 6.0;
    for (unsigned id = 1; id <= count; ++id) {
      made.regions.push_back(region(id, centre + decades * (unit() - 0.5), skew));
    }
    return made;
  }

 private:
  /// In [0, 1), the same on every system.
  double unit() { return static_cast<double>(engine_()) / 4294967296.0; }

  void vary(Machine& machine) {
    for (Ceiling& ceiling : machine.ceilings) {
      const double factor = std::pow(10.0, unit() - 0.5);
      if (ceiling.kind == CeilingKind::bandwidth) {
        const BytesPerSecond rate(p90_of(ceiling.value) * factor);
        ceiling.value =
            Estimate<BytesPerSecond>{.median = rate, .p90 = rate, .low = rate, .high = rate};
        ceiling.traffic_value.reset();
      } else if (ceiling.kind == CeilingKind::compute) {
        const FlopsPerSecond rate(p90_of(ceiling.value) * factor);
        ceiling.value =
            Estimate<FlopsPerSecond>{.median = rate, .p90 = rate, .low = rate, .high = rate};
      }
    }
  }

  Region region(unsigned id, double log_rate, double skew) {
    Region made;
    made.id = id;
    made.kind = RegionKind::loop;
    made.name = std::string("a_rather_long_name::of_a_loop_in_a_solver")
                    .substr(0, 2 + static_cast<std::size_t>(38.0 * unit()));
    made.name += fmt::format("{}", id);
    made.function = made.name;
    made.file = "solver.cpp";
    made.line = id;
    const double seconds = 2.0 * std::pow(unit(), skew) + 1e-6;
    made.time_seconds.self = SampledTime{Seconds(seconds), Seconds(seconds * 0.7),
                                         Seconds(seconds * (1.0 + unit())), 100};
    const auto flops = static_cast<std::uint64_t>(std::pow(10.0, log_rate) * seconds) + 1000;
    made.flops = Work{};
    work_of(made).add(Precision::fp64, OperationKind::fma, 256, flops);
    double bytes = static_cast<double>(flops) * std::pow(10.0, 1.5 * unit());
    made.bytes_loaded = static_cast<std::uint64_t>(bytes);
    made.bytes_stored = 1;
    for (const Level level : {Level::L1, Level::L2, Level::L3, Level::DRAM}) {
      made.traffic[level] = {static_cast<std::uint64_t>(bytes), 0};
      bytes = unit() < 0.05 ? 0.0 : bytes * std::pow(10.0, -1.5 * unit());
    }
    return made;
  }

  std::mt19937 engine_;
};

}  // namespace

Profile random_profile(unsigned seed) {
  return Generator(seed).profile();
}

}  // namespace ridge::render::fixture
