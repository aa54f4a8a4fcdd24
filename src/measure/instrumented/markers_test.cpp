#include "measure/instrumented/markers.hpp"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/decode.hpp"
#include "measure/instrumented/marker_notes.hpp"
#include "measure/instrumented/region_times.hpp"
#include "measure/instrumented/sampler.hpp"
#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr std::uint32_t kOwn = RIDGE_MARKER_COUNTS;
constexpr std::uint32_t kWhole = RIDGE_MARKER_COUNTS | RIDGE_MARKER_WHOLE_PROCESS;

/// main with a loop; each iteration: 2 flop, 8 byte, one call of erf.
DescriptorBuilder unit() {
  DescriptorBuilder built;
  const auto main = built.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT, 1);
  const auto loop = built.region(RIDGE_REGION_LOOP, "main", main, 2);
  built.counter(main);
  built.term(RIDGE_ENTRIES, 1);
  built.counter(loop);
  built.flops(RIDGE_FP64, RIDGE_ADD, 64, 2);
  built.term(RIDGE_BYTES_LOADED, 8);
  built.term(RIDGE_ITERATIONS, 1);
  built.term(RIDGE_CALLS, 1, "erf");
  return built;
}

/// One process with two threads that counted 1000 and 100 iterations.
class Markers : public ::testing::Test {
 protected:
  Markers() : process_(arena_.process(static_cast<std::uint32_t>(getpid()))) {
    arena_.module(process_, unit());
    arena_.record(process_).counter_count = 2;
    first_ = arena_.thread(process_, static_cast<std::uint32_t>(gettid()), 0);
    second_ = arena_.thread(process_, 1, 1);
    arena_.count(first_, 0, 1);
    arena_.count(first_, 1, 1000);
    arena_.count(second_, 1, 100);
    arena_.record(process_).flags = RIDGE_PROCESS_ENDED;
  }

  RawProcess decoded() { return decode(arena_.bytes())->processes.at(0); }
  RawMarker only_marker() { return decoded().markers.at(0); }

  /// Profile of the arena and, if there is one, of the arena of a second run.
  Profile profile(SampleSet samples = {}, const ArenaBuilder* second = nullptr) {
    Machine machine;
    machine.caches = {{"L1"}, {"L2"}};
    machine.memories = {{"DRAM", {}}};
    TimedRun timed;
    timed.arena = *decode(arena_.bytes());
    timed.samples = std::move(samples);
    timed.status.code = 0;
    timed.wall_seconds = 1.0;
    DecodedArena traffic;
    if (second != nullptr) {
      traffic = *decode(second->bytes());
    }
    return build_profile({{"./program"},
                          "2026-01-01T00:00:00Z",
                          &machine,
                          &timed,
                          second != nullptr ? &traffic : nullptr,
                          {},
                          {}});
  }

  static const Region& marker_of(const Profile& profile) {
    for (const Region& region : profile.regions) {
      if (region.kind == RegionKind::marker) {
        return region;
      }
    }
    throw std::out_of_range("no marker");
  }

  ArenaBuilder arena_{RIDGE_MODE_TRAFFIC};
  std::uint64_t process_;
  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
};

TEST_F(Markers, VisitsOfAllThreadsAddUp) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 2, {0, 30});
  arena_.visits(second_, marker, 1, {0, 12});
  const RawMarker found = only_marker();
  EXPECT_EQ(found.name, "solve");
  EXPECT_FALSE(found.is_open);
  EXPECT_EQ(found.counts.entries, 3U);  // not those of its regions
  EXPECT_EQ(found.counts.work.total(), 84U);
  EXPECT_EQ(found.counts.bytes_loaded, 336U);
  EXPECT_EQ(found.counts.iterations, std::nullopt);
  EXPECT_THAT(found.counts.calls, ElementsAre(Pair("erf", 42U)));
}

TEST_F(Markers, AnOpenVisitLastsUntilNow) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 0 - std::uint64_t{400}});  // it began at 400
  arena_.open_marker(first_, marker, kOwn);
  EXPECT_TRUE(only_marker().is_open);
  EXPECT_EQ(only_marker().counts.work.total(), 2U * (1000 - 400));
}

TEST_F(Markers, AnOpenVisitOfTheProcessHoldsAllThreads) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 0 - std::uint64_t{50}});
  arena_.open_marker(first_, marker, kWhole);
  EXPECT_EQ(only_marker().counts.work.total(), 2U * (1000 + 100 - 50));
}

TEST_F(Markers, AVisitInsideTheSameMarkerCountsNothing) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(second_, marker, 1, {0, 0});
  arena_.open_marker(second_, marker, 0);
  EXPECT_TRUE(only_marker().is_open);
  EXPECT_EQ(only_marker().counts.work.total(), 0U);
}

TEST_F(Markers, AThreadInAnOpenVisitOfTheProcessCountsOnce) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 0 - std::uint64_t{400}});
  arena_.visits(second_, marker, 1, {0, 0 - std::uint64_t{50}});
  arena_.open_marker(second_, marker, kOwn);
  arena_.open_marker(first_, marker, kWhole);
  EXPECT_EQ(only_marker().counts.work.total(), 2U * (1000 - 400 + 100 - 50));
}

TEST_F(Markers, WhatIsBelowZeroForAMomentIsNothing) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 0 - std::uint64_t{400}});  // not yet among the open ones
  EXPECT_EQ(only_marker().counts.work.total(), 0U);
}

TEST_F(Markers, DamageIsLeftOut) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 7});
  arena_.at<ridge_thread>(second_).marker_counts[marker] = 1ULL << 60U;
  arena_.open_marker(second_, 77, kOwn);
  arena_.at<ridge_thread>(second_).open_marker_count = 1ULL << 40U;
  arena_.record(process_).marker_count = 3;
  arena_.marker_record(process_, 1).name = 1ULL << 60U;
  const RawProcess found = decoded();
  ASSERT_THAT(found.markers, SizeIs(3));
  EXPECT_EQ(found.markers[0].counts.work.total(), 14U);
  EXPECT_EQ(found.markers[1].name, "");
  arena_.record(process_).markers = 1ULL << 60U;
  EXPECT_THAT(decoded().markers, Each(Field(&RawMarker::name, "")));
}

TEST_F(Markers, TheProgramDoesNotHoldThemTwice) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 700});
  const Profile found = profile();
  EXPECT_EQ(known_work(found.regions.front()).total(), 2200U);
  const Region& region = marker_of(found);
  EXPECT_TRUE(region.overlaps);
  EXPECT_TRUE(is_sum(region));
  EXPECT_EQ(region.name, "solve");
  EXPECT_EQ(region.entries, 1U);
  EXPECT_EQ(known_work(region).total(), 1400U);
  EXPECT_FALSE(region.partial);
  EXPECT_THAT(region.thread_work, IsEmpty());
}

TEST_F(Markers, OneThatNobodyStartedIsNoRegion) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.marker_record(process_, marker).stops_alone = 1;
  const Profile found = profile();
  EXPECT_THAT(found.regions, Not(Contains(Field(&Region::kind, RegionKind::marker))));
  EXPECT_THAT(found.notes, Contains(Field(&Note::code, "marker-not-started")));
}

TEST_F(Markers, NotesSayWhatIsOdd) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 0});
  arena_.open_marker(first_, marker, kOwn);
  arena_.marker_record(process_, marker).of_one_thread = 1;
  arena_.marker_record(process_, marker).stops_alone = 2;
  arena_.marker_record(process_, marker).stopped_by_end = 1;
  arena_.record(process_).markers_left_out = 5;
  const Profile found = profile();
  std::vector<std::string> codes;
  for (const Note& note : marker_of(found).notes) {
    codes.push_back(note.code);
  }
  EXPECT_THAT(codes, ElementsAre("marker-open", "marker-not-started", "marker-not-stopped",
                                 "marker-of-threads"));
  EXPECT_THAT(found.notes, Contains(Field(&Note::code, "markers-left-out")));
}

TEST_F(Markers, SamplesInsideAreItsTime) {
  const auto whole = arena_.marker(process_, "whole");
  const auto own = arena_.marker(process_, "own");
  arena_.visits(first_, whole, 1, {});
  arena_.visits(second_, own, 1, {});
  Sampler sampler(arena_.bytes());
  arena_.stack(first_, {1});
  sampler.tick(1.0);
  arena_.open_marker(first_, whole, kWhole);
  sampler.tick(2.0);
  arena_.stack(second_, {2});
  arena_.open_marker(second_, own, kOwn);
  sampler.tick(4.0);
  arena_.stack(first_, {});  // in no region: not in its marker, which the other thread is in
  sampler.tick(8.0);
  const RawProcess raw = decoded();
  const RegionTable table = merge_regions(raw);
  const auto samples = sampler.finish();
  const auto times = samples.processes.at(0).samples.resolve(table);
  ASSERT_THAT(times, SizeIs(4));  // main, its loop, and both markers
  EXPECT_DOUBLE_EQ(times[2].wall_inclusive, 14.0);
  EXPECT_EQ(times[2].threads_inclusive, 2U);
  EXPECT_DOUBLE_EQ(times[3].wall_inclusive, 12.0);
  EXPECT_EQ(times[3].threads_inclusive, 1U);
  EXPECT_DOUBLE_EQ(times[2].wall_self + times[3].wall_self, 0.0);
  EXPECT_DOUBLE_EQ(times[0].wall_self, 7.0);
}

TEST_F(Markers, OfOneThreadWaitedWhileWhatIsInsideDid) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 700});
  const RawProcess raw = decoded();
  const RegionTable table = merge_regions(raw);
  Accumulator samples;
  const auto inside = samples.stacks().push(samples.stacks().push(0, kMarkerBase + marker), 2);
  samples.add_tick({inside}, 4.0);
  samples.add_cpu(inside, 3.0, 3);
  samples.add_wait(inside, 1.0);
  samples.waits_are_known();
  RegionTimes times = samples.resolve(table).at(2);
  EXPECT_DOUBLE_EQ(times.waited_self, 1.0);
  Region region;
  fill_marker_times(region, times, samples, 4.0);
  EXPECT_EQ(region.waited_seconds, Seconds(1.0));
  EXPECT_DOUBLE_EQ(region.cpu_seconds.self->value.value(), 3.0);
  times.threads_inclusive = 2;  // which of them waited is not known
  fill_marker_times(region, times, samples, 4.0);
  EXPECT_EQ(region.waited_seconds, std::nullopt);
}

TEST_F(Markers, TheProfileHasTheirTimeAsTheirOwn) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 700});
  arena_.open_marker(first_, marker, kWhole);
  arena_.stack(first_, {2});
  Sampler sampler(arena_.bytes());
  for (int tick = 0; tick < 10; ++tick) {
    sampler.tick(0.1);
  }
  const Profile found = profile(sampler.finish());
  const Region& region = marker_of(found);
  ASSERT_TRUE(region.time_seconds.self);
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 1.0);
  EXPECT_EQ(region.time_seconds.self, region.time_seconds.inclusive);
  EXPECT_EQ(region.share_seconds, std::nullopt);
}

TEST_F(Markers, TrafficIsThatOfTheVisits) {
  const auto marker = arena_.marker(process_, "solve");
  arena_.visits(first_, marker, 1, {0, 700});
  ridge_region_traffic loop{};
  loop.crossed[0].read = 6400;
  loop.crossed[1].read = 3200;
  arena_.traffic(process_, {{}, {}, loop});
  auto& record = arena_.marker_record(process_, marker);
  record.traffic.crossed[0].read = 640;
  record.traffic.crossed[1].read = 64;
  const Profile over = profile({}, &arena_);
  EXPECT_EQ(marker_of(over).traffic.at(Level::L2).read, 640U);
  EXPECT_EQ(marker_of(over).traffic.at(Level::DRAM).read, 64U);
  EXPECT_EQ(over.regions.front().traffic.at(Level::L2).read, 6400U);
  EXPECT_THAT(marker_of(over).least_traffic, IsEmpty());

  // One that goes on began when 6000 had been read.
  record.open = 1;
  record.traffic.crossed[0].read = 0 - std::uint64_t{6000};
  arena_.open_marker(first_, marker, kWhole);
  EXPECT_EQ(marker_of(profile({}, &arena_)).traffic.at(Level::L2).read, 400U);
}

}  // namespace

void markers_sentences(tests::Sentences& sentences) {
  RawMarker marker;
  marker.name = "solve";
  marker.is_open = marker.of_one_thread = true;
  marker.stops_alone = 2;
  marker.stopped_by_end = 1;
  Region region;
  complete_marker(region, marker, {.has_several_threads = true, .has_tasks = true});
  for (const Note& note : region.notes) {
    sentences.add("a marker: " + note.code, note.text);
  }
  DecodedArena arena;
  arena.processes.emplace_back().markers.push_back(marker);
  arena.processes.back().markers_left_out = 5;
  std::vector<Note> notes;
  append_marker_notes(notes, arena);
  for (const Note& note : notes) {
    sentences.add("markers of the run: " + note.code, note.text);
  }
}

}  // namespace ridge::measure
