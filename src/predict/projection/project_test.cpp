#include "predict/projection/project.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/projection/projection_for_tests.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/target_machine.hpp"
#include "predict/projection/what_if.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using namespace ridge::predict::testing;

TEST(Project, TheSameMachineGivesTheMeasuredRoofAndTime) {
  std::mt19937 random(5);
  const Microarchitecture pipes = zen4_pipes();
  for (int i = 0; i < 200; ++i) {
    const unsigned threads = 1 + random() % 2;
    const unsigned width = 64U << random() % 4;
    Region region = loop(1, 0.1 + 1e-3 * static_cast<double>(random() % 1000),
                         kMega * (random() % 5000), kMega * (1 + random() % 20000), threads, width);
    const Profile profile = profile_of({region, loop(2, 1.0, kGiga, kGiga)});
    const MachineProjection there = on(profile, same_machine());
    const auto roof = predict_region(region, profile.machine, &pipes).code;
    ASSERT_TRUE(roof.has_value());
    const auto axis = axis_of(region, profile.machine);
    EXPECT_TRUE(there.simulated);
    EXPECT_DOUBLE_EQ(*there.regions[0].ideal_seconds, axis->amount / roof->attainable);
    EXPECT_DOUBLE_EQ(*there.regions[0].seconds, region.time_seconds.self->value.value());
    EXPECT_DOUBLE_EQ(*there.regions[0].fraction, *roof->fraction);
    EXPECT_EQ(there.regions[0].bound->ceiling, roof->ceiling);
    EXPECT_THAT(*there.seconds, DoubleNear(profile.program.wall_seconds.value(), 1e-12));
    EXPECT_TRUE(there.notes.empty());
    EXPECT_EQ(there.cores_are, CoresThere::as_here);
  }
}

// 20 GB in 1 s on one thread of 40 GB/s: half the roof. There one core draws what one draws here.
TEST(Project, AStreamKeepsItsDistanceFromTheRoof) {
  const Profile profile = profile_of({loop(1, 1.0, kMega, 20 * kGiga)});
  const MachineProjection there = on(profile, published_target());
  EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(*there.regions[0].seconds, DoubleNear(1.0, 1e-9));
  EXPECT_THAT(*there.regions[0].fraction, DoubleNear(0.5, 1e-9));
  // Eight cores would draw 320 GB/s; the socket has 200.
  const MachineProjection all = on(profile, published_target(), {8U, Basis::theoretical});
  EXPECT_EQ(all.regions[0].cores, 8U);
  EXPECT_THAT(*all.regions[0].ideal_seconds, DoubleNear(0.1, 1e-9));
  EXPECT_THAT(*all.regions[0].seconds, DoubleNear(0.2, 1e-9));
  // Two: 80 GB/s.
  const MachineProjection two = on(profile, published_target(), {2U, Basis::theoretical});
  EXPECT_THAT(*two.regions[0].ideal_seconds, DoubleNear(0.25, 1e-9));
}

TEST(Project, WithoutPipesThereThePeakIsComparedOnBothSides) {
  // 32 GFlop of scalar fma in 2 s at 16 GFlop/s: all of the scalar roof, a quarter of the peak of
  // 64 GFlop/s (fma) or a sixth of 96 (the mix).
  const Profile profile = profile_of({loop(1, 2.0, 32 * kGiga, kMega, 1, 64)});
  const MachineProjection there = on(profile, published_target());
  const double peak = 3e9 * 32;  // one core at boost
  EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(32e9 / peak, 1e-6));
  EXPECT_THAT(*there.regions[0].seconds, DoubleNear(2.0 * 96e9 / peak, 1e-6));
}

TEST(Project, WithPipesThereScalarCodeStaysScalar) {
  const Profile profile = profile_of({loop(1, 2.0, 32 * kGiga, kMega, 1, 64)});
  const MachineProjection there = on(profile, published_target(true));
  EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(32e9 / (3e9 * 4), 1e-6));
  EXPECT_EQ(there.regions[0].bound->ceiling, "compute.fp64.scalar.fma.t1");
}

// Arithmetic of a known core follows from units and clock, not from the published peak.
TEST(Project, WhatIfReachesRatesThatStandInNoFigure) {
  const Profile profile = profile_of({loop(1, 5.0, 100 * kGiga, kMega)});
  const double before = *on(profile, published_target(true)).regions[0].ideal_seconds;
  for (const char* change : {"fp64=2x", "compute=2x", "clock=2x"}) {
    ProjectionTarget target = published_target(true);
    ASSERT_TRUE(apply_what_if(target.machine, change)) << change;
    const MachineProjection there = on(profile, target);
    EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(before / 2.0, 1e-9)) << change;
    EXPECT_THAT(there.notes, ::testing::Contains(::testing::Field(&Note::code, "what-if")));
  }
  ProjectionTarget other = published_target(true);
  other.machine.figures.peaks.push_back(
      {"fp32", Pipes::vector, Basis::theoretical, {}, figure(1e12)});
  ASSERT_TRUE(apply_what_if(other.machine, "fp32=2x"));
  EXPECT_THAT(*on(profile, other).regions[0].ideal_seconds, DoubleNear(before, 1e-12));
}

TEST(Project, TrafficIsThatOfTheCachesThereWhereItWasSimulated) {
  Region region = loop(1, 1.0, kMega, 20 * kGiga);
  const std::vector<Cache> caches{{"L1", 65536, 4, 256}, {"L2", 8 << 20, 16, 256, 12}};
  region.traffic_elsewhere["a64"] = {{"L2", {kGiga, 0}}, {"HBM", {5 * kGiga, 0}}};
  Profile profile = profile_of({region});
  profile.caches_elsewhere = {{"a64", caches, "HBM"}};
  ProjectionTarget target = published_target();
  target.machine.figures.bandwidths = {{"HBM", Basis::theoretical, {}, figure(200e9)}};
  const MachineProjection guessed = on(profile, target);
  EXPECT_FALSE(guessed.simulated);
  EXPECT_THAT(*guessed.regions[0].ideal_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_EQ(guessed.notes.front().code, "traffic-of-this-machine");
  target.caches = CachesElsewhere{"other name", caches, "HBM"};
  const MachineProjection simulated = on(profile, target);
  EXPECT_TRUE(simulated.simulated);
  EXPECT_THAT(*simulated.regions[0].ideal_seconds, DoubleNear(5.0 / 40.0, 1e-9));
  EXPECT_THAT(*simulated.regions[0].seconds, DoubleNear(0.25, 1e-9));
  EXPECT_EQ(simulated.memory, Level::HBM);
  // Another geometry of the same name is another one.
  target.caches->caches[1].ways = 8;
  EXPECT_FALSE(on(profile, target).simulated);
}

TEST(Project, WhatHasNoBoundLastsAsLong) {
  Region library = region_named("in libm");
  library.kind = RegionKind::library;
  library.id = 2;
  took(library, 3.0);
  const Profile profile = profile_of({loop(1, 1.0, kMega, 20 * kGiga), library});
  const MachineProjection all = on(profile, published_target(), {8U, Basis::theoretical});
  EXPECT_THAT(all.projected_share, DoubleNear(0.25, 1e-9));
  EXPECT_THAT(*all.seconds, DoubleNear(3.2, 1e-9));
  EXPECT_FALSE(all.regions[1].seconds.has_value());
  EXPECT_TRUE(all.regions[1].missing.has_value());
}

TEST(Project, APrecisionWithoutAPeakHasNoTime) {
  Region region = loop(1, 1.0, kMega, kGiga);
  work_of(region).add(Precision::bf16, OperationKind::fma, 512, kMega);
  const MachineProjection there = on(profile_of({region}), published_target());
  EXPECT_EQ(there.regions[0].missing, "no bf16 peak known");
  EXPECT_FALSE(there.seconds.has_value());
  EXPECT_EQ(there.projected_share, 0.0);
}

TEST(Project, SerialLoopsStaySerial) {
  const Profile profile =
      profile_of({loop(1, 1.0, kMega, kGiga, 2), loop(2, 1.0, kMega, kGiga, 1)});
  const MachineProjection there = on(profile, published_target(), {64U, Basis::theoretical});
  EXPECT_EQ(there.regions[0].cores, 8U) << "as many as there are";
  EXPECT_EQ(there.regions[1].cores, 1U);
  EXPECT_TRUE(std::any_of(there.notes.begin(), there.notes.end(),
                          [](const Note& note) { return note.code == "fewer-cores"; }));
}

TEST(Project, SortedByTimeUnknownOnesLast) {
  const Microarchitecture pipes = zen4_pipes();
  ProjectionTarget fast = published_target();
  fast.machine.figures.key = "fast";
  ProjectionTarget unknown = published_target();
  unknown.machine.figures.key = "unknown";
  unknown.machine.figures.peaks.front().precision = "fp32";
  const Projection projection = project(profile_of({loop(1, 1.0, kMega, 20 * kGiga, 2)}), &pipes,
                                        {unknown, same_machine(), fast}, {8U, Basis::theoretical});
  ASSERT_EQ(projection.machines.size(), 3U);
  EXPECT_EQ(projection.machines[0].machine, "fast");
  EXPECT_EQ(projection.machines[1].machine, "this");
  EXPECT_EQ(projection.machines[2].machine, "unknown");
  EXPECT_EQ(projection.precision, "fp64");
  EXPECT_FALSE(projection.assumptions.empty());
}

// Adding work or traffic never shortens the ideal time; traffic there never the calibrated one;
// more cores never lengthen either.
TEST(Project, Monotone) {
  std::mt19937 random(17);
  const std::vector<Cache> caches{{"L1", 65536, 4, 64}, {"L2", 8 << 20, 16, 64, 1}};
  for (int i = 0; i < 100; ++i) {
    const auto draw = [&] { return kMega * (1 + random() % 50000); };
    Region region = loop(1, 1.0, draw(), draw(), 1, 64U << random() % 4);
    region.traffic_elsewhere["x"] = {{"L2", {draw(), draw()}}, {"DRAM", {draw(), draw()}}};
    ProjectionTarget target = published_target(random() % 2 == 0);
    target.caches = CachesElsewhere{"x", caches, "DRAM"};
    const auto times = [&](const Region& changed, const ProjectionChoices& choices = {}) {
      Profile profile = profile_of({changed});
      profile.caches_elsewhere = {*target.caches};
      const auto projected = on(profile, target, choices).regions[0];
      return std::pair(*projected.ideal_seconds, *projected.seconds);
    };
    const auto before = times(region);
    const double slack = 1.0 - 1e-12;
    Region more_work = region;
    work_of(more_work).add(Precision::fp64, OperationKind::add, 64, draw());
    EXPECT_GE(times(more_work).first, before.first * slack);
    Region more_traffic = region;
    Traffic& crossing =
        more_traffic.traffic_elsewhere["x"][random() % 2 == 0 ? Level::L2 : Level::DRAM];
    (random() % 2 == 0 ? crossing.read : crossing.written) += draw();
    EXPECT_GE(times(more_traffic).first, before.first * slack);
    EXPECT_GE(times(more_traffic).second, before.second * slack);
    double last = before.first;
    for (const unsigned cores : {2U, 3U, 5U, 8U}) {
      const double now = times(region, {cores, Basis::theoretical}).first;
      EXPECT_LE(now * slack, last);
      last = now;
    }
  }
}

TEST(PublishedMachine, AllCoresReachThePublishedPeak) {
  TargetMachine target = target_from(published());
  target.microarchitecture = wide_core();
  const Machine machine = published_machine(target, std::nullopt, {8, Basis::theoretical, {}});
  const Ceiling* fma = find_ceiling(machine, "compute.fp64.avx512.fma.t8");
  ASSERT_NE(fma, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(fma->value), 8 * 2e9 * 32);
  const Ceiling* memory = find_ceiling(machine, "bandwidth.DRAM.load.any.t8");
  ASSERT_NE(memory, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(memory->value), 200e9);
  EXPECT_EQ(find_ceiling(machine, "bandwidth.L3.load.any.t8"), nullptr) << "nobody publishes it";
}

/// Loads of 48 byte in 128-bit registers: widths of x86 operations say nothing of its pipes.
Microarchitecture arm_core() {
  Microarchitecture core = wide_core();
  for (auto& limits : core.isas) {
    limits.isa = limits.isa == Isa::scalar ? Isa::scalar : Isa::neon;
    limits.load_bytes_per_cycle = limits.isa == Isa::neon ? 48.0 : 24.0;
  }
  return core;
}

TEST(PublishedMachine, ACoreOfAnotherFamilyHasItsPeakAndItsCaches) {
  TargetMachine target = target_from(published());
  target.microarchitecture = arm_core();
  EXPECT_EQ(core_of_counted_family(target), nullptr);
  const Machine machine = published_machine(target, std::nullopt, {8, Basis::theoretical, {}});
  EXPECT_EQ(find_ceiling(machine, "compute.fp64.neon.fma.t8"), nullptr);
  const Ceiling* fma = find_ceiling(machine, "compute.fp64.vector.fma.t8");
  ASSERT_NE(fma, nullptr);
  EXPECT_DOUBLE_EQ(
      p90_of(fma->value),
      highest_peak(target.figures, "fp64", Pipes::vector, Basis::theoretical)->figure.value);
  const Ceiling* l1 = find_ceiling(machine, "bandwidth.L1.load.any.t8");
  ASSERT_NE(l1, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(l1->value), 8 * 2e9 * 48);
  const Ceiling* l2 = find_ceiling(machine, "bandwidth.L2.load.any.t8");
  ASSERT_NE(l2, nullptr);
  EXPECT_DOUBLE_EQ(p90_of(l2->value), 8 * 2e9 * 64);
}

TEST(Project, ALoopHasATimeOnACoreOfAnotherFamily) {
  ProjectionTarget target = published_target();
  target.machine.microarchitecture = arm_core();
  const MachineProjection with = on(arithmetic(), target);
  const MachineProjection without = on(arithmetic(), published_target());
  ASSERT_TRUE(with.regions.at(0).ideal_seconds);
  EXPECT_DOUBLE_EQ(with.regions.at(0).ideal_seconds.value(),
                   without.regions.at(0).ideal_seconds.value())
      << "bound by the published peak";
}

TEST(PublishedClock, FromBoostToBase) {
  EXPECT_DOUBLE_EQ(*published_clock(published(), 1), 3e9);
  EXPECT_DOUBLE_EQ(*published_clock(published(), 8), 2e9);
  EXPECT_DOUBLE_EQ(*published_clock(published(), 100), 2e9);
  EXPECT_DOUBLE_EQ(*published_clock(published(), 4), 3e9 - 1e9 * 3 / 7);
  Specification plain = published();
  plain.boost_clock.reset();
  EXPECT_DOUBLE_EQ(*published_clock(plain, 1), 2e9);
  plain.clock.reset();
  EXPECT_FALSE(published_clock(plain, 1).has_value());
}

}  // namespace
}  // namespace ridge::predict
