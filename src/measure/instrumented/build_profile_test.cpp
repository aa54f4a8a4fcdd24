#include "measure/instrumented/build_profile.hpp"

#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

/// main with a loop of 2 flop each time round, a call into libm, and code that never runs.
DescriptorBuilder unit() {
  DescriptorBuilder built;
  const auto main = built.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT, 1);
  const auto loop = built.region(RIDGE_REGION_LOOP, "main", main, 2);
  const auto call = built.region(RIDGE_REGION_CALL, "erf", loop);
  built.region(RIDGE_REGION_FUNCTION, "never", RIDGE_NO_PARENT, 9);
  built.counter(main);
  built.term(RIDGE_ENTRIES, 1);
  built.counter(loop, true);
  built.flops(RIDGE_FP64, RIDGE_ADD, 64, 2);
  built.term(RIDGE_BYTES_LOADED, 8);
  built.counter(call);
  built.term(RIDGE_CALLS, 1, "erf");
  return built;
}

class BuildProfile : public ::testing::Test {
 protected:
  BuildProfile() {
    machine_.name = "test";
    machine_.caches = {{"L1"}, {"L2"}};
    machine_.memories = {{"DRAM", {}}};
    timed_.pid = 42;
    timed_.status.code = 0;
    timed_.wall_seconds = 1.0;
    process_ = add_process(arena_, 42, 1000);
  }

  static std::uint64_t add_process(ArenaBuilder& arena, std::uint32_t pid, std::uint64_t turns) {
    const auto process = arena.process(pid, {"./program", "x"});
    arena.module(process, unit(), 1, 0, {"/lib/libm.so.6"});
    const auto thread = arena.thread(process, pid);
    arena.count(thread, 0, 1);
    arena.count(thread, 1, turns);
    arena.count(thread, 2, 5);
    arena.record(process).flags = RIDGE_PROCESS_ENDED;
    return process;
  }

  /// Stacks of the first process, each seen for 0.1 s.
  void sample(const std::vector<std::vector<std::uint32_t>>& stacks) {
    ProcessSamples samples;
    samples.record = process_;
    for (const auto& stack : stacks) {
      std::uint32_t node = 0;
      for (const std::uint32_t region : stack) {
        node = samples.samples.stacks().push(node, region);
      }
      samples.samples.add_tick({node}, 0.1);
      ++timed_.samples.ticks;
      timed_.samples.sampled_seconds += 0.1;
      timed_.samples.attributed_seconds += node != 0 ? 0.1 : 0.0;
    }
    timed_.samples.processes.push_back(std::move(samples));
  }

  Profile build(const ArenaBuilder* second = nullptr) {
    timed_.arena = *decode(arena_.bytes());
    if (second != nullptr) {
      traffic_ = *decode(second->bytes());
    }
    return build_profile({{"./program", "x"},
                          "2026-01-01T00:00:00Z",
                          &machine_,
                          &timed_,
                          second != nullptr ? &traffic_ : nullptr,
                          notes_,
                          also_});
  }

  static const Region& loop_at(const Profile& profile, unsigned line) {
    const auto found =
        std::find_if(profile.regions.begin(), profile.regions.end(), [&](const Region& region) {
          return region.kind == RegionKind::loop && region.line == line;
        });
    if (found == profile.regions.end()) {
      throw std::out_of_range("no loop at this line");
    }
    return *found;
  }

  static const Region& named(const Profile& profile, const std::string& name) {
    for (const Region& region : profile.regions) {
      if (region.name == name) {
        return region;
      }
    }
    ADD_FAILURE() << "no region " << name;
    return profile.regions.front();
  }

  static auto has_note(const std::string& code) { return Contains(Field(&Note::code, code)); }

  ArenaBuilder arena_;
  std::uint64_t process_ = 0;
  Machine machine_;
  TimedRun timed_;
  DecodedArena traffic_;
  std::vector<Note> notes_;
  std::vector<CachesElsewhere> also_;
};

TEST_F(BuildProfile, OneProgramRegionSumsAll) {
  add_process(arena_, 43, 500);
  const auto profile = build();
  const Region* program = program_region(profile);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->id, 0U);
  EXPECT_EQ(program->name, "program");
  EXPECT_EQ(known_work(*program).total(), 3000U);
  EXPECT_EQ(program->bytes_loaded, 12000U);
  EXPECT_EQ(program->traffic.at("L1"), (Traffic{12000, 0}));
  EXPECT_THAT(program->calls, ElementsAre(Pair("erf", 10U)));
  EXPECT_EQ(program->time_seconds.self->value, Seconds(1.0));
  EXPECT_THAT(profile.processes, SizeIs(2));
  EXPECT_EQ(profile.processes[0].exit_code, 0);
  EXPECT_EQ(profile.processes[1].exit_code, std::nullopt) << "nobody told us";
  EXPECT_EQ(profile.program.compiler, "clang 19.1.7, -O3");
  EXPECT_THAT(profile.notes, has_note("compiler"));
  EXPECT_THAT(profile.notes, has_note("overhead"));
}

TEST_F(BuildProfile, IdsAndParentsAreConsistent) {
  sample({{1}, {2}, {3}});
  const auto profile = build();
  for (std::uint32_t i = 0; i < profile.regions.size(); ++i) {
    EXPECT_EQ(profile.regions[i].id, i);
  }
  const Region& loop = loop_at(profile, 2);
  EXPECT_EQ(loop.parent, named(profile, "main").id);
  EXPECT_EQ(named(profile, "in libm.so.6").parent, loop.id);
  EXPECT_EQ(known_work(loop).total(), 2000U);
}

TEST_F(BuildProfile, CodeThatNeverRanIsLeftOut) {
  const auto profile = build();
  EXPECT_THAT(profile.regions, Not(Contains(Field(&Region::name, "never"))));
}

TEST_F(BuildProfile, LibrariesWithoutTimeAreLeftOutAndTheirCallsStay) {
  const auto profile = build();
  EXPECT_THAT(profile.regions, Not(Contains(Field(&Region::kind, RegionKind::library))));
  EXPECT_THAT(loop_at(profile, 2).calls, ElementsAre(Pair("erf", 5U)));
  EXPECT_THAT(program_region(profile)->calls, ElementsAre(Pair("erf", 5U)));
}

TEST_F(BuildProfile, TimesAndTheUnattributedShare) {
  sample({{2}, {2}, {2}, {2}, {2}, {2}, {2, 3}, {2, 3}, {}, {}});
  const auto profile = build();
  EXPECT_NEAR(profile.time.unattributed_fraction, 0.2, 1e-12);
  const Region& loop = loop_at(profile, 2);
  EXPECT_NEAR(loop.time_seconds.self->value.value(), 0.6, 1e-12);
  EXPECT_NEAR(loop.time_seconds.inclusive->value.value(), 0.8, 1e-12);
  EXPECT_NEAR(named(profile, "main").time_seconds.inclusive->value.value(), 0.8, 1e-12);
  EXPECT_EQ(loop.time_seconds.self->samples, 6U);
  EXPECT_THAT(profile.notes, has_note("sampling"));
}

TEST_F(BuildProfile, PercentagesHaveNoExponent) {
  sample({{}, {}, {}});
  const auto profile = build();
  const auto note = std::find_if(profile.notes.begin(), profile.notes.end(),
                                 [](const Note& each) { return each.code == "sampling"; });
  ASSERT_NE(note, profile.notes.end());
  EXPECT_THAT(note->text, ::testing::HasSubstr("; 100 % "));
}

TEST_F(BuildProfile, ZeroTimeIsSaidAndTimesAreAbsent) {
  const auto profile = build();
  EXPECT_THAT(profile.notes, has_note("zero-time"));
  EXPECT_EQ(named(profile, "main").time_seconds.self, std::nullopt);
}

TEST_F(BuildProfile, WaitingForACpuIsSaid) {
  sample({{1, 2}});
  timed_.samples.waited_seconds = 0.5 * timed_.samples.sampled_seconds;
  EXPECT_THAT(build().notes, has_note("machine-busy"));
  sample({{1, 2}});
  timed_.samples.waited_seconds = 0.01 * timed_.samples.sampled_seconds;
  EXPECT_THAT(build().notes, Not(has_note("machine-busy")));
}

TEST_F(BuildProfile, LoopsCutMidwayArePartial) {
  timed_.status = {.code = std::nullopt, .signal = SIGKILL};
  arena_.stack(arena_.record(process_).threads, {2});
  const auto profile = build();
  EXPECT_TRUE(loop_at(profile, 2).partial);
  EXPECT_FALSE(named(profile, "main").partial) << "it has no counter that waits for the end";
  EXPECT_TRUE(program_region(profile)->partial);
  EXPECT_EQ(profile.program.signal, SIGKILL);
  EXPECT_THAT(profile.notes, has_note("partial"));
  EXPECT_THAT(profile.notes, has_note("ended-by-signal"));
}

TEST_F(BuildProfile, InnerLoopsAreCutWithTheOuterOne) {
  // A counter of an inner loop may stay in a register until the outermost loop is left.
  DescriptorBuilder built;
  const auto main = built.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT, 1);
  const auto outer = built.region(RIDGE_REGION_LOOP, "main", main, 2);
  const auto inner = built.region(RIDGE_REGION_LOOP, "main", outer, 3);
  const auto other = built.region(RIDGE_REGION_LOOP, "main", main, 9);
  for (const auto region : {inner, other}) {
    built.counter(region, true);
    built.flops(RIDGE_FP64, RIDGE_ADD, 64, 2);
  }
  ArenaBuilder arena;
  const auto process = arena.process(42);
  arena.module(process, built);
  const auto thread = arena.thread(process, 42);
  arena.count(thread, 0, 1);
  arena.count(thread, 1, 1);
  arena.stack(thread, {outer}, 1);
  arena_ = std::move(arena);
  const auto profile = build();
  EXPECT_TRUE(loop_at(profile, 3).partial);
  EXPECT_FALSE(loop_at(profile, 9).partial) << "no thread was in it";
}

TEST_F(BuildProfile, ALauncherIsAProcessOfItsOwn) {
  timed_.pid = 7;
  timed_.status.code = 3;
  const auto profile = build();
  ASSERT_THAT(profile.processes, SizeIs(2));
  EXPECT_EQ(profile.processes[0].pid, 7);
  EXPECT_EQ(profile.processes[0].exit_code, 3);
  EXPECT_EQ(named(profile, "main").process, 1U);
}

TEST_F(BuildProfile, AfterAnExecTheLastRecordHasTheExitCode) {
  add_process(arena_, 42, 1);
  const auto profile = build();
  EXPECT_EQ(profile.processes[0].exit_code, std::nullopt);
  EXPECT_EQ(profile.processes[1].exit_code, 0);
}

TEST_F(BuildProfile, NothingInstrumentedIsStillAProfile) {
  arena_ = ArenaBuilder();
  const auto profile = build();
  EXPECT_THAT(profile.regions, SizeIs(1));
  EXPECT_THAT(profile.processes, SizeIs(1));
  EXPECT_THAT(profile.notes, has_note("nothing-instrumented"));
}

TEST_F(BuildProfile, WhyNothingAttachedIsSaidInsteadOfWhatToBuild) {
  arena_ = ArenaBuilder();
  notes_ = {{"not-attached", "because"}};
  const auto profile = build();
  EXPECT_THAT(profile.notes, has_note("not-attached"));
  EXPECT_THAT(profile.notes, Not(has_note("nothing-instrumented")));
}

TEST_F(BuildProfile, AProgramThatStillRunsIsPartial) {
  timed_.status = {};
  const auto profile = build();
  EXPECT_TRUE(program_region(profile)->partial);
  EXPECT_EQ(profile.program.exit_code, std::nullopt);
  EXPECT_EQ(profile.program.signal, std::nullopt);
}

TEST_F(BuildProfile, DescendantsThatOutliveTheProgramAreNamed) {
  EXPECT_FALSE(program_region(build())->partial);
  timed_.waited = true;
  timed_.left_others = {{7, "sleep"}};
  const auto others = build();
  EXPECT_FALSE(program_region(others)->partial);
  EXPECT_THAT(others.notes, has_note("descendants-waited"));
  EXPECT_THAT(others.notes, has_note("descendants-not-measured"));
  timed_.left_measured = {{8, "daemon"}};
  const auto left = build();
  EXPECT_TRUE(program_region(left)->partial);
  EXPECT_THAT(left.notes, has_note("descendants-left"));
}

TEST_F(BuildProfile, TrafficComesFromTheSecondRun) {
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  std::vector<ridge_region_traffic> table(5);
  table[0].crossed[0] = {1, 0};
  table[2].crossed[0] = {64, 32};
  table[2].crossed[1] = {16, 8};
  second.traffic(add_process(second, 99, 1000), table);
  const auto profile = build(&second);
  const Region& loop = loop_at(profile, 2);
  EXPECT_EQ(loop.traffic.at("L2"), (Traffic{64, 32}));
  EXPECT_EQ(loop.traffic.at("DRAM"), (Traffic{16, 8}));
  EXPECT_THAT(loop.notes, IsEmpty());
  EXPECT_EQ(program_region(profile)->traffic.at("L2"), (Traffic{65, 32}));
  EXPECT_THAT(profile.notes, has_note("traffic-model"));
}

TEST_F(BuildProfile, LinesComeFromTheSecondRun) {
  machine_.caches[0].line_bytes = 64;
  machine_.caches[1].size_bytes = 1 << 20;
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  std::vector<ridge_region_traffic> traffic(5);
  traffic[2].crossed[0] = {6400, 0};
  std::vector<ridge_region_lines> lines(5);
  lines[2].fetched = 100;
  lines[2].used_bytes = 1600;
  lines[2].held[8] = 25;
  lines[2].not_held = 75;
  lines[2].shared = 3;
  const auto process = add_process(second, 99, 1000);
  second.traffic(process, traffic);
  second.lines(process, lines);
  const auto profile = build(&second);
  const Region& loop = loop_at(profile, 2);
  EXPECT_EQ(loop.line_use, 0.25);
  EXPECT_EQ(misses_with(loop.miss_curve, 64 << 10), 4800U);
  EXPECT_EQ(loop.sharing, (LineSharing{3, 0, 0, 0, 0}));
  EXPECT_EQ(named(profile, "main").line_use, std::nullopt);
}

CachesElsewhere two_levels(std::string name, Level memory) {
  return {std::move(name), {{"L1", 4096, 8}, {"L2", 65536, 8}}, memory};
}

TEST_F(BuildProfile, TrafficElsewhereStandsBesideTheOther) {
  also_ = {two_levels("a", "HBM"), two_levels("b", "DRAM")};
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  const auto process = add_process(second, 99, 1000);
  std::vector<ridge_region_traffic> table(5);
  second.traffic(process, table);
  table[0].crossed[0] = {1, 0};
  table[2].crossed[0] = {640, 320};
  table[2].crossed[1] = {160, 80};
  second.elsewhere(process, 0, table);
  const auto profile = build(&second);
  const Region& loop = loop_at(profile, 2);
  EXPECT_EQ(loop.traffic.at("L2"), (Traffic{0, 0}));
  ASSERT_THAT(loop.traffic_elsewhere, SizeIs(1)) << "nobody simulated b";
  EXPECT_THAT(loop.traffic_elsewhere.at("a"),
              ElementsAre(Pair(Level::HBM, Traffic{160, 80}), Pair(Level::L2, Traffic{640, 320})));
  EXPECT_EQ(program_region(profile)->traffic_elsewhere.at("a").at("L2"), (Traffic{641, 320}));
  EXPECT_THAT(profile.caches_elsewhere, ElementsAre(also_[0]));
  EXPECT_THAT(profile.notes, has_note("traffic-elsewhere"));
  EXPECT_THAT(profile.notes, has_note("no-traffic-elsewhere"));
}

TEST_F(BuildProfile, AProcessWithoutItsPartLeavesTheProgramWithoutTheWhole) {
  also_ = {two_levels("a", "DRAM")};
  add_process(arena_, 43, 1000);
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  const std::vector<ridge_region_traffic> table(5);
  const auto first = add_process(second, 99, 1000);
  second.traffic(first, table);
  second.elsewhere(first, 0, table);
  second.traffic(add_process(second, 100, 1000), table);
  const auto profile = build(&second);
  EXPECT_THAT(program_region(profile)->traffic_elsewhere, IsEmpty());
  EXPECT_THAT(loop_at(profile, 2).traffic_elsewhere, SizeIs(1));
}

TEST_F(BuildProfile, WithoutOtherCachesNothingIsSaidOfThem) {
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  second.traffic(add_process(second, 99, 1000), std::vector<ridge_region_traffic>(5));
  const auto profile = build(&second);
  EXPECT_THAT(profile.caches_elsewhere, IsEmpty());
  EXPECT_THAT(profile.notes, Not(has_note("traffic-elsewhere")));
  EXPECT_THAT(profile.notes, Not(has_note("no-traffic-elsewhere")));
}

TEST_F(BuildProfile, ThreadsThatSharedALoopAreListed) {
  const auto second = arena_.thread(process_, 43, 1);
  arena_.count(second, 0, 1);
  arena_.count(second, 1, 3000);
  const auto profile = build();
  const Region& loop = loop_at(profile, 2);
  ASSERT_THAT(loop.thread_work, SizeIs(2));
  EXPECT_EQ(loop.thread_work[0].flops, 2000U);
  EXPECT_EQ(loop.thread_work[1].flops, 6000U);
  EXPECT_EQ(known_work(loop).total(), 8000U);
}

TEST_F(BuildProfile, WhatALibraryMovedIsUnknownNotZero) {
  sample({{1}, {2}, {3}});
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  second.traffic(add_process(second, 99, 1000), std::vector<ridge_region_traffic>(5));
  const auto profile = build(&second);
  const Region& library = named(profile, "in libm.so.6");
  EXPECT_THAT(library.traffic, IsEmpty());
  EXPECT_THAT(library.least_traffic, IsEmpty());
  EXPECT_THAT(library.traffic_at_share, IsEmpty());
  EXPECT_THAT(loop_at(profile, 2).traffic, Not(IsEmpty()));
}

TEST_F(BuildProfile, ARunThatDidSomethingElseGivesNoTraffic) {
  ArenaBuilder second(RIDGE_MODE_TRAFFIC);
  second.traffic(add_process(second, 99, 3000), std::vector<ridge_region_traffic>(5));
  const auto profile = build(&second);
  const Region& loop = loop_at(profile, 2);
  EXPECT_EQ(loop.traffic.count("L2"), 0U);
  EXPECT_THAT(loop.notes, has_note("traffic-dropped"));
  EXPECT_EQ(program_region(profile)->traffic.count("L2"), 0U);
}

TEST_F(BuildProfile, ProblemsAreNotes) {
  arena_.record(process_).flags |= RIDGE_PROCESS_VERSION_MISMATCH | RIDGE_PROCESS_COUNTERS_FULL;
  arena_.record(process_).mismatched_abi_version = 4711;
  arena_.header().full = 1;
  const auto profile = build();
  EXPECT_THAT(profile.notes, has_note("version-mismatch"));
  EXPECT_THAT(profile.notes, has_note("counters-full"));
  EXPECT_THAT(profile.notes, has_note("memory-full"));
}

class WithoutRegions : public BuildProfile {
 public:
  Note sampling_note() {
    sample({{}, {}, {}});
    const auto profile = build();
    const auto found = std::find_if(profile.notes.begin(), profile.notes.end(),
                                    [](const Note& note) { return note.code == "sampling"; });
    return found == profile.notes.end() ? Note() : *found;
  }

 private:
  void TestBody() override {}
};

}  // namespace

void build_profile_sentences(tests::Sentences& sentences) {
  sentences.add("profile, three samples in no region", WithoutRegions().sampling_note().text);
}

}  // namespace ridge::measure
