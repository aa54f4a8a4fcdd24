#include "measure/binary/profile/binary_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/binary/profile/runs_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using namespace tests;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kTiny = 1e-9;

const Region* find(const Profile& profile, std::string_view name) {
  const auto found = std::ranges::find(profile.regions, name, &Region::name);
  return found == profile.regions.end() ? nullptr : &*found;
}

const Region& region_of(const Profile& profile, std::string_view name) {
  return *find(profile, name);
}

std::vector<std::string> names_of(const Profile& profile) {
  std::vector<std::string> names;
  for (const Region& region : profile.regions) {
    names.push_back(region.name);
  }
  return names;
}

std::uint64_t flops_of(const Region& region) {
  return known_work(region).total();
}

TEST(BinaryProfile, TheHeadIsThatOfTheUntouchedRun) {
  Runs runs;
  runs.timed.status = {7, {}};
  runs.region("f", work_of(10));
  runs.notes = {{"same-code", "first"}};
  const Profile profile = runs.profile();
  EXPECT_THAT(profile.program.argv, ElementsAre("./program", "x"));
  EXPECT_EQ(profile.program.exit_code, 7);
  EXPECT_EQ(profile.program.wall_seconds, Seconds(1.0));
  EXPECT_EQ(profile.processes.at(0).pid, kPid);
  EXPECT_EQ(profile.date, "2026-01-02T03:04:05Z");
  EXPECT_EQ(profile.notes.at(0).code, "same-code") << "those of the runs stand in front";
}

// Counts and times of one region meet in it: samples by their place, counts by their number.
TEST(BinaryProfile, TimesAndCountsOfAPlaceMeet) {
  Runs runs;
  const auto outer = runs.region("outer", work_of(100));
  const auto inner = runs.region("inner", work_of(3000), outer, RegionKind::loop);
  runs.spent(200, outer);
  runs.spent(600, inner);
  const Profile profile = runs.profile();
  EXPECT_THAT(names_of(profile), ElementsAre("program", "outer", "inner"));
  const Region& loop = region_of(profile, "inner");
  EXPECT_EQ(loop.kind, RegionKind::loop);
  EXPECT_EQ(loop.parent, region_of(profile, "outer").id);
  EXPECT_NEAR(loop.time_seconds.self->value.value(), 0.6, kTiny);
  EXPECT_EQ(loop.time_seconds.self->samples, 600U);
  EXPECT_NEAR(loop.cpu_seconds.self->value.value(), 0.6, kTiny);
  EXPECT_EQ(flops_of(loop), 3000U);
  EXPECT_EQ(loop.traffic.at(Level::L1), (Traffic{3000, 3000}));
  const Region& around = region_of(profile, "outer");
  EXPECT_NEAR(around.time_seconds.self->value.value(), 0.2, kTiny);
  EXPECT_NEAR(around.time_seconds.inclusive->value.value(), 0.8, kTiny);
  EXPECT_EQ(flops_of(around), 100U) << "without inner regions";
}

TEST(BinaryProfile, TheProgramHasTheSumOfTheWorkAndItsOwnTime) {
  Runs runs;
  runs.spent(300, runs.region("a", work_of(10)));
  runs.spent(300, runs.region("b", work_of(20)));
  runs.region("never sampled", work_of_bytes(400));
  runs.timed.usage = platform::UsageOfTree{.user_seconds = 0.5, .kernel_seconds = 0.25};
  runs.timed.usage->minor_faults = 6;
  const Profile profile = runs.profile();
  const Region& program = profile.regions.at(0);
  EXPECT_EQ(program.kind, RegionKind::program);
  EXPECT_EQ(program.time_seconds.self->value, Seconds(1.0)) << "measured, not sampled";
  EXPECT_EQ(program.cpu_seconds.self->value, Seconds(0.75));
  EXPECT_EQ(program.page_faults->value, 6U);
  EXPECT_EQ(program.page_faults->kernel_seconds, Seconds(0.25));
  EXPECT_EQ(flops_of(program), 30U);
  EXPECT_EQ(program.bytes_loaded, 430U);
  EXPECT_EQ(program.entries, 1U);
  EXPECT_NEAR(profile.time.unattributed_fraction, 0.4, kTiny);
  double shares = 0.0;
  for (const Region& region : profile.regions) {
    shares += region.share_seconds.value_or(Seconds{}).value();
  }
  EXPECT_NEAR(shares, 0.6, kTiny) << "the wall time in which somebody was seen in a region";
}

TEST(BinaryProfile, SleepAndTheKernelArePartsOfTheTime) {
  Runs runs;
  const auto region = runs.region("f", work_of(10));
  runs.spent(10, region);
  runs.spent_in_kernel(30, region);
  runs.slept(60, region);
  const Profile profile = runs.profile();
  const Region& found = region_of(profile, "f");
  EXPECT_NEAR(found.time_seconds.self->value.value(), 0.1, kTiny);
  EXPECT_NEAR(found.asleep_seconds->value(), 0.06, kTiny);
  EXPECT_NEAR(found.kernel_seconds->value(), 0.03, kTiny);
  runs.timed.method = platform::SamplingMethod::perf_events_user_only;
  EXPECT_FALSE(region_of(runs.profile(), "f").kernel_seconds) << "nobody looked there";
}

TEST(BinaryProfile, WithoutCountsThereAreTimes) {
  Runs runs;
  runs.spent(100, runs.region("f", {}));
  runs.has_counts = false;
  const Profile profile = runs.profile();
  const Region& region = region_of(profile, "f");
  EXPECT_TRUE(region.time_seconds.self);
  EXPECT_FALSE(region.flops);
  EXPECT_THAT(region.traffic, IsEmpty());
  EXPECT_THAT(region.notes, IsEmpty()) << "it was not looked for under an engine";
  EXPECT_FALSE(profile.regions.at(0).flops);
}

TEST(BinaryProfile, NamesSayWhichLibrary) {
  Runs runs;
  runs.region("main", work_of(1));
  runs.module("/lib/libx.so.1");
  runs.region("f", work_of(1));
  runs.region("libx.so.1+0x20", work_of(1));
  runs.region("in libx.so.1", work_of(1), {}, RegionKind::library);
  EXPECT_THAT(names_of(runs.profile()),
              ElementsAre("program", "main", "f in libx.so.1", "libx.so.1+0x20", "in libx.so.1"));
}

TEST(BinaryProfile, VersionsOfALoopAreOneRegion) {
  Runs runs;
  runs.region("f", work_of(1), {}, RegionKind::loop);
  runs.code.modules.back().regions.regions.back().loops = {{0, 0}, {0, 1}, {0, 2}};
  const Profile profile = runs.profile();
  const Note* note = find_note(region_of(profile, "f").notes, "versions");
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->text, HasSubstr("3"));
}

// ---- which regions there are

TEST(BinaryProfile, WhatHasNeitherTimeNorFlopsIsOneRow) {
  Runs runs;
  const auto timed = runs.region("timed", work_of_bytes(1));
  runs.region("counted", work_of(5));
  runs.region("start-up", work_of_bytes(100));
  runs.region("more start-up", work_of_bytes(200));
  runs.spent(1, timed);
  const Profile profile = runs.profile();
  ASSERT_THAT(profile.regions, SizeIs(4));
  EXPECT_NE(find(profile, "timed"), nullptr);
  EXPECT_NE(find(profile, "counted"), nullptr);
  const Region& rest = profile.regions.back();
  EXPECT_THAT(rest.name, HasSubstr("2 functions and loops"));
  EXPECT_EQ(rest.bytes_loaded, 300U);
  EXPECT_EQ(rest.traffic.at(Level::L1), (Traffic{300, 0}));
  EXPECT_FALSE(rest.time_seconds.self);
}

/// Whether a copy without flops took time is known to the start that was timed.
TEST(BinaryProfile, WhereAnotherStartWasTimedRegionsStandByWhatTheyExecuted) {
  Runs runs;
  ModuleWork copy = work_of_bytes(100);
  copy.instructions = 2'000'000;
  runs.region("copy", copy);
  runs.region("start-up", work_of_bytes(200));
  ModuleWork nothing;
  runs.region("did not run", nothing);
  EXPECT_EQ(find(runs.profile(), "copy"), nullptr);
  ProfileInput input = runs.input();
  input.times_elsewhere = true;
  const Profile profile = binary_profile(input);
  EXPECT_EQ(region_of(profile, "copy").bytes_loaded, 100U);
  EXPECT_EQ(find(profile, "start-up"), nullptr) << "one instruction of 2 000 001";
  EXPECT_EQ(find(profile, "did not run"), nullptr);
}

TEST(BinaryProfile, WhatEnclosesAChosenRegionIsThereToo) {
  Runs runs;
  const auto function = runs.region("f", work_of_bytes(8));
  const auto loop = runs.region("loop", work_of_bytes(8), function, RegionKind::loop);
  runs.region("inner", work_of(5), loop, RegionKind::loop);
  const Profile profile = runs.profile();
  EXPECT_THAT(names_of(profile), ElementsAre("program", "f", "loop", "inner"));
  EXPECT_EQ(region_of(profile, "inner").parent, region_of(profile, "loop").id);
  EXPECT_EQ(region_of(profile, "loop").parent, region_of(profile, "f").id);
}

TEST(BinaryProfile, NumbersLeadBackToTheCode) {
  Runs runs;
  runs.region("rest", work_of_bytes(8));
  const auto chosen = runs.region("chosen", work_of(5));
  std::vector<std::uint32_t> numbers;
  EXPECT_THAT(names_of(binary_profile(runs.input(), &numbers)), SizeIs(3));
  EXPECT_THAT(numbers, ElementsAre(kNoRegion, chosen, kNoRegion));
}

TEST(BinaryProfile, AnEngineOfTheProgramAloneSaysNothingOfLibraries) {
  Runs runs;
  runs.engine.counts_libraries = false;
  runs.region("main", work_of(5));
  runs.module("/lib/libx.so.1");
  runs.spent(100, runs.region("f", {}));
  runs.region("g", work_of_bytes(100));
  const Profile profile = runs.profile();
  EXPECT_THAT(names_of(profile), ElementsAre("program", "main", "f in libx.so.1"));
  EXPECT_FALSE(profile.regions.back().flops);
  EXPECT_EQ(find_note(profile.regions.back().notes, "other-code"), nullptr);
}

TEST(BinaryProfile, CodeThatDidNotRunUnderTheEngineHasItsTimeAlone) {
  Runs runs;
  runs.module("/lib/libx.so.1");
  const auto other = runs.region("kernel_avx512", {});
  runs.spent(19, other);
  EXPECT_THAT(runs.profile().regions.at(1).notes, IsEmpty()) << "too few samples to say so";
  runs.spent(1, other);
  const Profile profile = runs.profile();
  const Region& region = profile.regions.at(1);
  EXPECT_NE(find_note(region.notes, "other-code"), nullptr);
  EXPECT_FALSE(region.flops);
  EXPECT_THAT(region.traffic, IsEmpty());
  const Note* note = find_note(profile.notes, "other-code");
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->text, HasSubstr("kernel_avx512 in libx.so.1"));
}

// ---- threads

/// Two threads; the one that was created last was seen first.
Runs of_two_threads(std::optional<WaitKind> wait = {}) {
  Runs runs;
  runs.counted.records = {record_of(kPid, 2)};
  ModuleWork work = work_of(30);
  work.threads = {{.thread = 0, .flops = 10}, {.thread = 1, .flops = 20}};
  const auto region = runs.region("f", work);
  runs.code.modules.back().regions.regions.back().wait = wait;
  const auto second = runs.thread(kPid + 1);
  const auto first = runs.thread(kPid);
  runs.spent(30, region, second);
  runs.spent(20, region, first);
  return runs;
}

TEST(BinaryProfile, TimesOfThreadsStandInOrderOfTheirCreation) {
  const Profile profile = of_two_threads().profile();
  const Region& region = region_of(profile, "f");
  ASSERT_THAT(region.thread_work, SizeIs(2));
  EXPECT_EQ(region.threads, 2U);
  EXPECT_EQ(region.thread_work[0].flops, 10U);
  EXPECT_NEAR(region.thread_work[0].cpu_seconds->value.value(), 0.02, kTiny);
  EXPECT_EQ(region.thread_work[1].flops, 20U);
  EXPECT_NEAR(region.thread_work[1].cpu_seconds->value.value(), 0.03, kTiny);
}

TEST(BinaryProfile, TimesOfThreadsNeedAllOfThem) {
  Runs runs = of_two_threads();
  runs.counted.records = {record_of(kPid, 3)};
  const Profile profile = runs.profile();
  const Region& region = region_of(profile, "f");
  EXPECT_EQ(region.thread_work.at(1).flops, 20U);
  EXPECT_FALSE(region.thread_work.at(1).cpu_seconds) << "which of three was it?";
}

TEST(BinaryProfile, WhatWaitsHasNoWorkByThread) {
  EXPECT_THAT(region_of(of_two_threads(WaitKind::barrier).profile(), "f").thread_work, IsEmpty());
}

// ---- processes

TEST(BinaryProfile, WithoutCountsOfAProcessAllIsPartial) {
  Runs runs;
  runs.spent(10, runs.region("f", work_of(5)));
  EXPECT_FALSE(region_of(runs.profile(), "f").partial);
  runs.counted.records.front().before_exec = true;  // and nothing came after
  const Profile lost = runs.profile();
  EXPECT_TRUE(lost.regions.at(0).partial);
  EXPECT_TRUE(region_of(lost, "f").partial);
  EXPECT_NE(find_note(lost.notes, "processes-uncounted"), nullptr);
  runs.engine.counts_libraries = false;
  EXPECT_FALSE(region_of(runs.profile(), "f").partial) << "other programs are not counted anyway";
}

TEST(BinaryProfile, AProcessThatWasOnlySampledMakesCountsPartial) {
  Runs runs;
  const auto region = runs.region("f", work_of(5));
  runs.spent(10, region);
  runs.spent(10, region, runs.thread(kPid + 7, kPid + 7));
  EXPECT_TRUE(region_of(runs.profile(), "f").partial);
  runs.counted.records.push_back(record_of(kPid + 7));
  EXPECT_FALSE(region_of(runs.profile(), "f").partial);
}

TEST(BinaryProfile, DescendantsThatStillRunMakeTheProgramPartial) {
  Runs runs;
  runs.region("f", work_of(5));
  runs.timed.left = {{.pid = 77, .name = "daemon"}};
  const Profile profile = runs.profile();
  EXPECT_TRUE(profile.regions.at(0).partial);
  EXPECT_FALSE(region_of(profile, "f").partial);
}

// ---- traffic

/// Of 1000 flops in the run that counts and `second` in the one that simulates.
Profile with_second(std::uint64_t second) {
  Runs runs;
  const auto region = runs.region("f", work_of(1000));
  runs.simulated.work.at(region) = work_of(second);
  runs.crosses(region, 6400, 640);
  runs.has_traffic = true;
  return runs.profile();
}

TEST(BinaryProfile, TrafficIsThatOfTheRunThatSimulates) {
  const Profile profile = with_second(1000);
  const Region& region = region_of(profile, "f");
  EXPECT_EQ(region.traffic.at(Level::L1), (Traffic{1000, 1000})) << "counted, not simulated";
  EXPECT_EQ(region.traffic.at(Level::L2), (Traffic{6400, 640}));
  EXPECT_EQ(region.traffic.at(Level::DRAM), (Traffic{6400, 640}));
  EXPECT_EQ(region.traffic_mode, TrafficMode::exact);
  EXPECT_THAT(region.notes, IsEmpty());
  EXPECT_EQ(profile.regions.at(0).traffic.at(Level::DRAM), (Traffic{6400, 640}));
  EXPECT_NE(find_note(profile.notes, "traffic-model"), nullptr);
}

TEST(BinaryProfile, TrafficIsScaledToTheWorkThatWasCounted) {
  const Profile profile = with_second(950);
  const Region& region = region_of(profile, "f");
  EXPECT_NE(find_note(region.notes, "traffic-scaled"), nullptr);
  EXPECT_EQ(region.traffic.at(Level::DRAM).read, 6737U);  // 6400 * 1000 / 950
  EXPECT_NE(find_note(profile.regions.at(0).notes, "traffic-scaled"), nullptr);
}

TEST(BinaryProfile, WorkThatDiffersByMoreThanATenthIsNotJoined) {
  EXPECT_EQ(region_of(with_second(900), "f").traffic.count(Level::DRAM), 1U);
  for (const std::uint64_t second : {899U, 1112U, 0U}) {
    const Profile profile = with_second(second);
    const Region& region = region_of(profile, "f");
    EXPECT_NE(find_note(region.notes, "traffic-dropped"), nullptr) << second;
    EXPECT_EQ(region.traffic, (TrafficByLevel{{Level::L1, {1000, 1000}}})) << second;
    EXPECT_FALSE(region.traffic_mode);
    EXPECT_NE(find_note(profile.regions.at(0).notes, "traffic-dropped"), nullptr) << second;
  }
}

TEST(BinaryProfile, WithoutFlopsBytesTellWhetherTheRunsDidTheSame) {
  Runs runs;
  const auto region = runs.region("copy", work_of_bytes(1000));
  runs.spent(5, region);
  runs.crosses(region, 64, 0);
  runs.has_traffic = true;
  EXPECT_EQ(region_of(runs.profile(), "copy").traffic.at(Level::DRAM), (Traffic{64, 0}));
  runs.simulated.work.at(region) = work_of_bytes(2000);
  const Profile profile = runs.profile();
  const Note* note = find_note(region_of(profile, "copy").notes, "traffic-dropped");
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->text, HasSubstr("byte"));
}

TEST(BinaryProfile, TheRestHasTheTrafficOfItsRegions) {
  Runs runs;
  runs.crosses(runs.region("a", work_of_bytes(100)), 64, 0);
  runs.crosses(runs.region("b", work_of_bytes(100)), 128, 64);
  runs.has_traffic = true;
  const Profile profile = runs.profile();
  ASSERT_THAT(profile.regions, SizeIs(2));
  EXPECT_EQ(profile.regions.back().traffic.at(Level::DRAM), (Traffic{192, 64}));
  runs.simulated.work.at(0) = work_of_bytes(1000);
  EXPECT_NE(find_note(runs.profile().regions.back().notes, "traffic-dropped"), nullptr);
}

TEST(BinaryProfile, TrafficInNoRegionIsThePrograms) {
  Runs runs;
  runs.crosses(runs.region("f", work_of(1000)), 64, 0);
  runs.simulated.run.records.front().traffic[0].crossed[1] = {1000, 0};
  runs.has_traffic = true;
  const Profile profile = runs.profile();
  EXPECT_EQ(region_of(profile, "f").traffic.at(Level::DRAM), (Traffic{64, 0}));
  EXPECT_EQ(profile.regions.at(0).traffic.at(Level::DRAM), (Traffic{1064, 0}));
}

TEST(BinaryProfile, OtherCachesStandBesideTheMachines) {
  Runs runs;
  const auto region = runs.region("f", work_of(1000));
  runs.crosses(region, 64, 0);
  CachesElsewhere tiny;
  tiny.name = "tiny";
  tiny.caches = {{.level = Level::L1}};
  tiny.memory = Level::DRAM;
  runs.also = {tiny};
  runs.has_traffic = true;
  EXPECT_THAT(runs.profile().caches_elsewhere, IsEmpty()) << "the engine did not simulate them";
  runs.simulated.run.records.front().elsewhere[0][region + 1].crossed[0] = {640, 0};
  const Profile profile = runs.profile();
  EXPECT_THAT(profile.caches_elsewhere, SizeIs(1));
  EXPECT_EQ(region_of(profile, "f").traffic_elsewhere.at("tiny").at(Level::DRAM),
            (Traffic{640, 0}));
}

}  // namespace
}  // namespace ridge::measure::binary
