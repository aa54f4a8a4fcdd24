// Cores, latencies and questions of a projection; loops of a CPU on a GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/projection/device_terms.hpp"
#include "predict/projection/projection_for_tests.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/what_if.hpp"

namespace ridge::predict {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using namespace ridge::predict::testing;

// 40 GB/s on one core here; 8 cores and 200 GB/s there: 20 GB take 0.5 s at the roof of one core,
// 0.1 s at that of all.
TEST(CoresThere, AsManyAsHereAndTheWholeTarget) {
  const auto machines = all_on(stream(), published_target());
  ASSERT_EQ(machines.size(), 2U);
  EXPECT_EQ(machines[0].cores_are, CoresThere::whole);
  EXPECT_EQ(machines[0].cores, 8U);
  EXPECT_THAT(*machines[0].ideal_seconds, DoubleNear(0.1, 1e-9));
  EXPECT_THAT(machines[0].notes, Contains(Field(&Note::code, "parallel-there")));
  EXPECT_EQ(machines[1].cores_are, CoresThere::as_here);
  EXPECT_EQ(machines[1].cores, 1U);
  EXPECT_THAT(*machines[1].ideal_seconds, DoubleNear(0.5, 1e-9));
}

TEST(CoresThere, OneRowWhereNothingElseIsKnownOrAsked) {
  EXPECT_EQ(all_on(stream(), published_target(), {3U, Basis::theoretical}).size(), 1U);
  ProjectionTarget unknown = published_target();
  unknown.machine.figures.cores.reset();
  EXPECT_EQ(all_on(stream(), unknown).size(), 1U);
  Region wide = loop(1, 1.0, kMega, 20 * kGiga, 2);
  EXPECT_EQ(all_on(profile_of({wide}), same_machine()).size(), 1U) << "all threads here";
  EXPECT_EQ(all_on(stream(), same_machine()).size(), 2U);
}

TEST(CoresThere, SerialLoopsStaySerialOnTheWholeTarget) {
  const auto machines = all_on(
      profile_of({loop(1, 1.0, kMega, kGiga, 2), loop(2, 1.0, kMega, kGiga)}), published_target());
  ASSERT_EQ(machines.size(), 2U);
  const auto& whole = machines[0].cores_are == CoresThere::whole ? machines[0] : machines[1];
  EXPECT_EQ(whole.regions[0].cores, 8U);
  EXPECT_EQ(whole.regions[1].cores, 1U);
}

// n cores draw min(n b1, b).
TEST(Saturation, ByTheTargetsOwnFigures) {
  ProjectionTarget target = published_target();
  target.machine.figures.bandwidths.push_back(of_one_core(25e9));
  for (const auto& [cores, rate] :
       {std::pair{1U, 25e9}, std::pair{2U, 50e9}, std::pair{7U, 175e9}, std::pair{8U, 200e9}}) {
    const MachineProjection there = on(stream(), target, {cores, Basis::theoretical});
    EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(20e9 / rate, 1e-9)) << cores;
    EXPECT_THAT(there.notes, Not(Contains(Field(&Note::code, "memory-per-core"))));
  }
  // What something else held back is no roof.
  ProjectionTarget held = published_target();
  held.machine.figures.bandwidths.push_back(of_one_core(1e9, Basis::achieved));
  EXPECT_FALSE(drawn_by_one_core(held.machine.figures, "DRAM").has_value());
  EXPECT_THAT(*on(stream(), held).regions[0].ideal_seconds, DoubleNear(0.5, 1e-9));
}

TEST(Saturation, CachesByTheirPublishedBandwidths) {
  TargetMachine target = published_target().machine;
  target.figures.caches = {{"L2", true, figure(1e6)}, {"L3", false, figure(3e7)}};
  target.figures.bandwidths.push_back({"L2", Basis::theoretical, {}, figure(800e9)});
  target.figures.bandwidths.push_back({"L3", Basis::theoretical, {}, figure(400e9)});
  target.figures.bandwidths.push_back({"L3", Basis::sustained, {}, figure(60e9), 1U});
  const auto rate = [&](const char* level, unsigned cores) {
    const PublishedUse use{.cores = cores, .clock = ClockGuess::base};
    const Machine machine = published_machine(target, std::nullopt, use);
    const auto id = std::string("bandwidth.") + level + ".load.any.t" + std::to_string(cores);
    const Ceiling* ceiling = find_ceiling(machine, id);
    return ceiling != nullptr ? p90_of(ceiling->value) : 0.0;
  };
  EXPECT_DOUBLE_EQ(rate("L2", 1), 100e9);  // a core's own
  EXPECT_DOUBLE_EQ(rate("L2", 8), 800e9);
  EXPECT_DOUBLE_EQ(rate("L3", 1), 60e9);  // shared
  EXPECT_DOUBLE_EQ(rate("L3", 6), 360e9);
  EXPECT_DOUBLE_EQ(rate("L3", 8), 400e9);
}

double ideal_of(const Profile& profile, ProjectionTarget target, const std::string& change,
                const ProjectionChoices& choices = {}) {
  if (!change.empty()) {
    EXPECT_TRUE(apply_what_if(target.machine, change)) << change;
  }
  return *on(profile, target, choices).regions[0].ideal_seconds;
}
double calibrated_of(const Profile& profile, ProjectionTarget target, const std::string& change,
                     const ProjectionChoices& choices = {}) {
  if (!change.empty()) {
    EXPECT_TRUE(apply_what_if(target.machine, change)) << change;
  }
  return *on(profile, target, choices).regions[0].seconds;
}

/// A loop that only the first level binds: 400 GB of loads by 512-bit instructions, in L1.
Profile in_first_level() {
  Region region = loop(1, 2.0, kMega, 400 * kGiga);
  region.traffic = {{"L1", {400 * kGiga, 0}}, {"L2", {kMega, 0}}, {"DRAM", {kMega, 0}}};
  return profile_of({region});
}
Profile in_second_level() {
  Region region = loop(1, 4.0, kMega, 200 * kGiga);
  region.traffic = {{"L1", {200 * kGiga, 0}}, {"L2", {200 * kGiga, 0}}, {"DRAM", {kMega, 0}}};
  return profile_of({region});
}

struct Question {
  std::string what;
  Profile profile;
  std::vector<std::string> halve;
  std::vector<std::string> change_nothing;
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all{
      {"stream", stream(), {"DRAM=2x"}, {"fp64=2x", "compute=2x", "clock=2x", "L1=2x", "L2=2x"}},
      {"arithmetic",
       arithmetic(),
       {"fp64=2x", "compute=2x", "clock=2x"},
       {"DRAM=2x", "L1=2x", "L2=2x"}},
      {"L1", in_first_level(), {"L1=2x", "clock=2x"}, {"DRAM=2x", "fp64=2x", "compute=2x"}},
      {"L2", in_second_level(), {"L2=2x", "clock=2x"}, {"DRAM=2x", "fp64=2x", "compute=2x"}}};
  return all;
}

ProjectionTarget with_caches() {
  ProjectionTarget target = published_target(true);
  target.machine.figures.caches = {{"L1", true, figure(32768)}, {"L2", true, figure(1e6)}};
  target.machine.figures.bandwidths.push_back({"L1", Basis::theoretical, {}, figure(2e12)});
  target.machine.figures.bandwidths.push_back({"L2", Basis::theoretical, {}, figure(1e12)});
  return target;
}

// Twice of what binds halves the time, twice of what does not bind changes nothing: on a published
// machine and on a measured one, ideal and calibrated.
TEST(WhatIfOfAResult, TwiceTheResourceThatBindsHalvesTheTime) {
  for (const Question& question : questions()) {
    for (const ProjectionTarget& target : {with_caches(), same_machine()}) {
      const double ideal = ideal_of(question.profile, target, "");
      const double calibrated = calibrated_of(question.profile, target, "");
      for (const std::string& change : question.halve) {
        const std::string what = question.what + " " + change + " " + target.machine.figures.key;
        EXPECT_THAT(ideal_of(question.profile, target, change) / ideal, DoubleNear(0.5, 1e-9))
            << what;
        EXPECT_THAT(calibrated_of(question.profile, target, change) / calibrated,
                    DoubleNear(0.5, 1e-9))
            << what;
      }
      for (const std::string& change : question.change_nothing) {
        const std::string what = question.what + " " + change + " " + target.machine.figures.key;
        EXPECT_DOUBLE_EQ(ideal_of(question.profile, target, change), ideal) << what;
        EXPECT_DOUBLE_EQ(calibrated_of(question.profile, target, change), calibrated) << what;
      }
    }
  }
}

// One thread gets no faster by more cores; the whole target does, where arithmetic binds.
TEST(WhatIfOfAResult, MoreCoresServeTheWholeTarget) {
  for (ProjectionTarget target : {with_caches(), same_machine()}) {
    target.machine.figures.boost_clock.reset();
    const auto of = [&](const ProjectionTarget& there, CoresThere cores) {
      for (const MachineProjection& machine : all_on(arithmetic(), there)) {
        if (machine.cores_are == cores) {
          return *machine.regions[0].ideal_seconds;
        }
      }
      return 0.0;
    };
    ProjectionTarget more = target;
    ASSERT_TRUE(apply_what_if(more.machine, "cores=2x"));
    const std::string& key = target.machine.figures.key;
    EXPECT_DOUBLE_EQ(of(more, CoresThere::as_here), of(target, CoresThere::as_here)) << key;
    EXPECT_THAT(of(more, CoresThere::whole) / of(target, CoresThere::whole), DoubleNear(0.5, 1e-9))
        << key;
  }
}

TEST(WhatIfOfAResult, FewerCoresOfAMeasuredMachineKeepWhatWasMeasured) {
  ProjectionTarget target = same_machine();
  ASSERT_TRUE(apply_what_if(target.machine, "cores=1"));
  for (const Ceiling& ceiling : target.machine.measured->ceilings) {
    EXPECT_EQ(ceiling.threads, 1U) << ceiling.id;
  }
  EXPECT_EQ(all_on(stream(), target).size(), 1U);
  EXPECT_DOUBLE_EQ(ideal_of(arithmetic(), target, ""), ideal_of(arithmetic(), same_machine(), ""));
}

TEST(WhatIfOfAResult, NoPartOfACore) {
  for (const char* change : {"cores=0.1x", "cores=0.5", "cores=1e300x", "cores=1e20"}) {
    for (ProjectionTarget target : {with_caches(), same_machine()}) {
      const auto applied = apply_what_if(target.machine, change);
      ASSERT_FALSE(applied) << change;
      EXPECT_EQ(applied.error().code, ErrorCode::usage);
    }
  }
}

// lambda is paid with each entry: 1000 entries of 1 ms beside 0.5 s of memory, and beside nothing.
TEST(Latency, EachEntryPaysIt) {
  Profile profile = stream();
  profile.regions[0].entries = 1000;
  const MachineProjection plain = on(profile, published_target());
  const MachineProjection paid =
      on(profile, published_target(), {{}, Basis::theoretical, {{"DRAM", 1e-3}}});
  EXPECT_THAT(*paid.regions[0].ideal_seconds, DoubleNear(0.5 + 1.0, 1e-9));
  EXPECT_THAT(*paid.regions[0].seconds, DoubleNear(*plain.regions[0].seconds + 1.0, 1e-9));
  // Arithmetic takes 1 Mflop / 96 Gflop/s; with 0.4 s of latency it is still not what binds.
  const MachineProjection hidden =
      on(profile, published_target(), {{}, Basis::theoretical, {{"compute", 4e-4}}});
  EXPECT_DOUBLE_EQ(*hidden.regions[0].ideal_seconds, *plain.regions[0].ideal_seconds);
  const MachineProjection shown =
      on(profile, published_target(), {{}, Basis::theoretical, {{"compute", 6e-4}}});
  EXPECT_THAT(*shown.regions[0].ideal_seconds, DoubleNear(0.6, 1e-4));
  EXPECT_THAT(shown.regions[0].bound->ceiling, HasSubstr("compute"));
}

TEST(Latency, WithoutEntriesThereIsNoTime) {
  Profile profile = stream();
  profile.regions[0].entries.reset();
  const MachineProjection paid =
      on(profile, published_target(), {{}, Basis::theoretical, {{"DRAM", 1e-3}}});
  EXPECT_THAT(paid.regions[0].missing.value_or(""), HasSubstr("--latency"));
  EXPECT_FALSE(paid.seconds.has_value());
}

TEST(Latency, KeysAreWhatTheTargetHas) {
  EXPECT_THAT(latency_keys(published_target().machine), ElementsAre("DRAM", "compute"));
  EXPECT_THAT(latency_keys(same_machine().machine),
              ElementsAre("DRAM", "L1", "L2", "L3", "compute"));
}

/// 100 multiprocessors with 64 lanes at 1 GHz, 1 TB/s.
ProjectionTarget gpu() {
  Specification made;
  made.key = "gpu";
  made.name = "GPU";
  made.kind = MachineKind::gpu;
  made.cores = figure(100);
  made.boost_clock = figure(1e9);
  made.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, figure(6.4e12)},
                {"fp32", Pipes::vector, Basis::theoretical, {}, figure(12.8e12)}};
  made.bandwidths = {{"DRAM", Basis::theoretical, {}, figure(1e12)}};
  return {target_from(made), std::nullopt};
}

/// 20 GB in 10 calls of 1e6 iterations; its arrays are 2 GB.
Profile for_device() {
  Profile profile = stream();
  Region& region = profile.regions[0];
  region.entries = 10;
  region.iterations = 10000000;
  region.least_traffic = {{"DRAM", {2 * kGiga, 0}}};
  return profile;
}

PublishedLink pcie() {
  PublishedLink link;
  link.name = "PCIe";
  link.figure = figure(32e9);
  link.pinned = figure(25e9);
  link.pageable = figure(10e9);
  return link;
}

// Roof 20 GB / 1 TB/s = 0.02 s; here half the roof: calibrated 0.04 s. 10 launches of 5 us;
// 2 GB once at 25 GB/s = 0.08 s, ten times at 10 GB/s = 2 s.
TEST(OnADevice, LaunchesAndTransfers) {
  ProjectionTarget target = gpu();
  target.machine.figures.launch_latency = figure(5e-6);
  target.machine.figures.links = {pcie()};
  const auto machines = all_on(for_device(), target);
  ASSERT_EQ(machines.size(), 1U);
  const MachineProjection& there = machines[0];
  EXPECT_EQ(there.cores_are, CoresThere::whole);
  EXPECT_EQ(there.cores, 100U);
  const ProjectedRegion& region = there.regions[0];
  EXPECT_THAT(*region.ideal_seconds, DoubleNear(0.02 + 5e-5 + 0.08, 1e-12));
  EXPECT_THAT(*region.seconds, DoubleNear(0.04 + 5e-5 + 0.08, 1e-12));
  EXPECT_THAT(*region.low_seconds, DoubleNear(0.02 + 5e-5, 1e-12));
  EXPECT_THAT(*region.high_seconds, DoubleNear(0.04 + 5e-5 + 2.0, 1e-12));
  ASSERT_TRUE(region.device.has_value());
  EXPECT_EQ(region.device->lanes, 6400.0);
  EXPECT_EQ(region.device->iterations, 1e6);
  EXPECT_EQ(region.device->launches, 10.0);
}

TEST(OnADevice, AFasterLinkShortensTheTransferAlone) {
  ProjectionTarget target = gpu();
  target.machine.figures.launch_latency = figure(5e-6);
  target.machine.figures.links = {pcie()};
  ASSERT_TRUE(apply_what_if(target.machine, "PCIe=2x"));
  const ProjectedRegion region = all_on(for_device(), target)[0].regions[0];
  EXPECT_THAT(*region.ideal_seconds, DoubleNear(0.02 + 5e-5 + 0.04, 1e-12));
  EXPECT_THAT(*region.low_seconds, DoubleNear(0.02 + 5e-5, 1e-12));
  EXPECT_THAT(*region.high_seconds, DoubleNear(0.04 + 5e-5 + 1.0, 1e-12));
}

TEST(OnADevice, WhatTheFileDoesNotSayLeavesTheIntervalOpen) {
  const MachineProjection there = all_on(for_device(), gpu())[0];
  const ProjectedRegion& region = there.regions[0];
  EXPECT_THAT(*region.seconds, DoubleNear(0.04, 1e-12));
  EXPECT_FALSE(region.high_seconds.has_value());
  EXPECT_FALSE(there.high_seconds.has_value());
  EXPECT_FALSE(region.device->launch_seconds.has_value());
  EXPECT_FALSE(region.device->transfer_seconds.has_value());
  ASSERT_FALSE(region.notes.empty());
  EXPECT_THAT(region.notes.back().text, HasSubstr("launch latency"));
  EXPECT_THAT(region.notes.back().text, HasSubstr("link"));
  // --latency says it.
  const auto told = all_on(for_device(), gpu(), {{}, Basis::theoretical, {{"launch", 1e-3}}})[0];
  EXPECT_THAT(*told.regions[0].seconds, DoubleNear(0.04 + 0.01, 1e-12));
}

TEST(OnADevice, TooFewIterationsAreRefusedInWords) {
  Profile profile = for_device();
  profile.regions[0].iterations = 10 * 6399;
  const MachineProjection there = all_on(profile, gpu())[0];
  EXPECT_THAT(there.regions[0].missing.value_or(""), HasSubstr("6400 lanes"));
  EXPECT_FALSE(there.regions[0].ideal_seconds.has_value());
  EXPECT_FALSE(there.seconds.has_value());
  EXPECT_EQ(there.projected_share, 0.0);
  Profile uncounted = stream();
  EXPECT_THAT(all_on(uncounted, gpu())[0].regions[0].missing.value_or(""), HasSubstr("counted"));
  ProjectionTarget bare = gpu();
  bare.machine.figures.boost_clock.reset();
  EXPECT_THAT(all_on(for_device(), bare)[0].regions[0].missing.value_or(""), HasSubstr("clock"));
}

// An inner loop of 1000 in an outer one of 1000 that was entered once: 1e6 independent iterations
// if the nest is a kernel. Alone the loop fills 1000 of 204800 resident threads.
TEST(OnADevice, TheNestCounts) {
  Region outer = loop(1, 0.1, kMega, kMega);
  outer.kind = RegionKind::loop;
  outer.entries = 1;
  outer.iterations = 1000;
  Region inner = loop(2, 1.0, kMega, 20 * kGiga);
  inner.kind = RegionKind::loop;
  inner.parent = 1;
  inner.entries = 1000;
  inner.iterations = 1000000;
  Profile profile = profile_of({outer, inner});
  const auto placed = [&] {
    return place_on_device(profile.regions[1], profile, gpu().machine, {});
  };
  EXPECT_FALSE(placed().refused.has_value());
  EXPECT_DOUBLE_EQ(placed().terms.iterations, 1e6);
  EXPECT_DOUBLE_EQ(placed().terms.launches, 1.0);
  EXPECT_DOUBLE_EQ(placed().least_filled, 1000.0 / (2048 * 100));
  // Two threads share the outer loop, each with an entry of its own: the same kernels.
  profile.regions[0].entries = 2;
  profile.regions[0].threads = profile.regions[1].threads = 2;
  EXPECT_DOUBLE_EQ(placed().terms.launches, 1.0);
  EXPECT_DOUBLE_EQ(placed().terms.iterations, 1e6);
  EXPECT_DOUBLE_EQ(placed().least_filled, 1000.0 / (2048 * 100));
  // A recurrence leaves the 1000 of the outer loop: too few for 6400 lanes.
  ChainTerm chain;
  chain.operations = 1000000;
  profile.regions[1].chain = {chain};
  EXPECT_THAT(placed().refused.value_or(""), HasSubstr("1000 independent"));
  profile.regions[1].chain[0].reduction = true;
  EXPECT_FALSE(placed().refused.has_value());
}

}  // namespace
}  // namespace ridge::predict
