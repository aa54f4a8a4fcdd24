#include "measure/lay_over.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Profile ridge_profile() {
  Profile profile;
  profile.processes.resize(1);
  profile.machine.caches = {Cache{.level = "L1"}, Cache{.level = "L2"}};
  profile.machine.memories.resize(1);
  profile.regions = {full_region(0, RegionKind::program, "heat", 3),
                     full_region(1, RegionKind::function, "main", 1),
                     full_region(2, RegionKind::loop, "sweep", 2)};
  profile.regions[1].flops.reset();
  profile.regions[2].parent = 1;
  profile.regions[2].function = "sweep";
  profile.regions[2].file = "heat.cpp";
  profile.regions[2].line = 12;
  return profile;
}

SourcedProfile marker(const std::string& name, RegionKind kind = RegionKind::marker) {
  SourcedProfile measured{"LIKWID", {}, {}};
  measured.profile.processes.resize(1);
  measured.profile.origins = {Origin::counted, Origin::counted, Origin::measured, Origin::measured};
  measured.profile.imports = {{"LIKWID", "5.2", "x.csv"}};
  Region region;
  region.kind = kind;
  region.name = name;
  region.function = name;
  region.traffic = {{"DRAM", {7000, 3000}}};
  work_of(region).add(Precision::fp64, OperationKind::fma, 512, 64);
  region.time_seconds.self = sampled(9.0);
  region.notes = {{"kind-unknown", "as fma"}};
  measured.profile.regions = {region};
  return measured;
}

TEST(LayOver, AMarkerGoesToTheRegionOfItsName) {
  const Profile profile = ridge_profile();
  const LaidOver laid = lay_over(profile, marker("sweep"));
  EXPECT_THAT(laid.laid, ElementsAre("sweep (heat.cpp:12)"));
  EXPECT_THAT(laid.unmatched, IsEmpty());
  const Region& region = laid.result.regions[2];
  EXPECT_EQ(region.traffic.at("DRAM"), (Traffic{7000, 3000}));
  EXPECT_EQ(region.traffic.at("L1"), profile.regions[2].traffic.at("L1"));
  EXPECT_EQ(region.flops->total(), 64U);
  EXPECT_EQ(laid.result.regions[1], profile.regions[1]);
  EXPECT_EQ(laid.result.imports, marker("sweep").profile.imports);
}

TEST(LayOver, EachFigureHasItsOriginAndWhatItWasBefore) {
  const LaidOver laid = lay_over(ridge_profile(), marker("sweep"));
  const Region& region = laid.result.regions[2];
  EXPECT_EQ(traffic_origin(region, laid.result, "DRAM"), Origin::measured);
  EXPECT_EQ(traffic_origin(region, laid.result, "L2"), Origin::simulated);
  EXPECT_TRUE(region.traffic_interval.empty());
  EXPECT_TRUE(region.traffic_at_share.empty());
  const auto note = std::find_if(region.notes.begin(), region.notes.end(),
                                 [](const Note& each) { return each.code == "imported"; });
  ASSERT_NE(note, region.notes.end());
  EXPECT_THAT(note->text, HasSubstr("64 flop (1600 counted before)"));
  EXPECT_THAT(note->text, HasSubstr("DRAM 10000 byte (1920 simulated before)"));
  EXPECT_THAT(note->text, HasSubstr("from LIKWID"));
}

TEST(LayOver, TimesStayThoseOfTheRun) {
  Profile profile = ridge_profile();
  EXPECT_EQ(lay_over(profile, marker("sweep")).result.regions[2].time_seconds,
            profile.regions[2].time_seconds);
  profile.regions[2].time_seconds = {};
  EXPECT_EQ(lay_over(profile, marker("sweep")).result.regions[2].time_seconds.self, sampled(9.0));
}

TEST(LayOver, WhatIsNotCertainIsListed) {
  Profile profile = ridge_profile();
  const LaidOver unknown = lay_over(profile, marker("other"));
  EXPECT_THAT(unknown.unmatched, ElementsAre(UnmatchedRegion{"LIKWID", "other", false}));
  EXPECT_EQ(unknown.result.regions, profile.regions);
  profile.regions.push_back(full_region(3, RegionKind::loop, "sweep", 1));
  const LaidOver ambiguous = lay_over(profile, marker("sweep"));
  EXPECT_THAT(ambiguous.unmatched, ElementsAre(UnmatchedRegion{"LIKWID", "sweep", true}));
  EXPECT_EQ(ambiguous.result.regions, profile.regions);
}

TEST(LayOver, AMarkerAroundARegionThatWorksItselfIsNotOneRegion) {
  Profile profile = ridge_profile();
  profile.regions[1].function = "sweep";
  EXPECT_THAT(lay_over(profile, marker("sweep")).laid, SizeIs(1)) << "the outer one does nothing";
  work_of(profile.regions[1]).add(Precision::fp64, OperationKind::add, 64, 5);
  EXPECT_THAT(lay_over(profile, marker("sweep")).unmatched, SizeIs(1));
}

TEST(LayOver, ParametersAreNoPartOfAName) {
  Profile profile = ridge_profile();
  profile.regions[2].function = "sweep(Grid const&, Grid&)";
  profile.regions[2].name = "sweep:12";
  EXPECT_THAT(lay_over(profile, marker("sweep")).laid, SizeIs(1));
}

TEST(LayOver, TheProgramIsTheProgram) {
  const LaidOver laid = lay_over(ridge_profile(), marker("anything", RegionKind::program));
  EXPECT_EQ(laid.result.regions[0].traffic.at("DRAM"), (Traffic{7000, 3000}));
}

TEST(LayOver, LevelsThatTheMachineLacksAreLeftOut) {
  SourcedProfile measured = marker("sweep");
  measured.profile.regions[0].traffic = {{"NVRAM", {1, 1}}};
  const LaidOver laid = lay_over(ridge_profile(), measured);
  EXPECT_FALSE(laid.result.regions[2].traffic.contains("NVRAM"));
  EXPECT_TRUE(std::any_of(laid.result.regions[2].notes.begin(), laid.result.regions[2].notes.end(),
                          [](const Note& note) { return note.code == "unknown-level"; }));
}

}  // namespace
}  // namespace ridge::measure
