// Markers as they lie in the arena when the program has ended.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "runtime/emulated_session.hpp"

namespace ridge::runtime_testing {
namespace {

/// The marker of this name in the first process, or in that with this number.
class Marker {
 public:
  Marker(Arena& arena, const std::string& name, std::size_t process = 0)
      : arena_(arena), process_(*arena.processes().at(process)) {
    const auto* records = arena.at<ridge_marker_record>(process_.markers);
    for (index_ = 0; index_ < process_.marker_count; ++index_) {
      record_ = records + index_;
      if (arena.at<char>(record_->name) == name) {
        return;
      }
    }
    ADD_FAILURE() << "no marker " << name;
  }

  [[nodiscard]] const ridge_marker_record& record() const { return *record_; }
  [[nodiscard]] std::uint64_t entries() const {
    return sum([](const ridge_marker_counts& counts) { return counts.entries; });
  }
  /// Of a counter of the process.
  [[nodiscard]] std::uint64_t value(std::uint32_t counter) const {
    return sum([&](ridge_marker_counts& counts) {
      return counter < counts.value_count ? ridge_marker_values(&counts)[counter] : 0;
    });
  }

 private:
  template <class Figure>
  [[nodiscard]] std::uint64_t sum(Figure figure) const {
    std::uint64_t all = 0;
    for (const ridge_thread* thread : arena_.threads(process_)) {
      if (const std::uint64_t offset = thread->marker_counts[index_]; offset != 0) {
        all += figure(*arena_.at<ridge_marker_counts>(offset));
      }
    }
    return all;
  }

  Arena& arena_;
  const ridge_process_record& process_;
  const ridge_marker_record* record_ = nullptr;
  std::uint32_t index_ = 0;
};

Ended run_markers(Arena& arena, const std::string& scenario) {
  return run(RIDGE_TEST_MARKERS, {scenario}, arena.session());
}

TEST(Markers, HoldWhatCountersGrewBy) {
  Arena arena;
  const Ended ended = run_markers(arena, "phases");
  ASSERT_TRUE(ended.exited(0)) << ended.errors;
  const Marker first(arena, "first");
  EXPECT_EQ(first.value(1), 7u + 11u + 17u);
  EXPECT_EQ(first.value(0), 0u);
  EXPECT_EQ(first.entries(), 3u);
  EXPECT_EQ(first.record().stops_alone, 1u);
  EXPECT_EQ(first.record().of_one_thread, 0u);
  EXPECT_EQ(Marker(arena, "second").value(1), 11u + 13u);
}

TEST(Markers, AnOpenOneIsThereToBeAddedTo) {
  Arena arena;
  run_markers(arena, "phases");
  const ridge_thread& thread = *arena.threads(*arena.processes()[0])[0];
  ASSERT_EQ(thread.open_marker_count, 1u);
  EXPECT_EQ(thread.open_markers[0].flags,
            std::uint32_t{RIDGE_MARKER_COUNTS | RIDGE_MARKER_WHOLE_PROCESS});
  EXPECT_EQ(Marker(arena, "open").value(1) + thread.counters[1], 19u);
  EXPECT_EQ(Marker(arena, "open").record().open, 1u);
  EXPECT_EQ(Marker(arena, "first").record().open, 0u);
}

TEST(Markers, HoldCountersThatCameLater) {
  Arena arena;
  ASSERT_TRUE(run_markers(arena, "late_counters").exited(0));
  const Marker first(arena, "first");
  EXPECT_EQ(first.value(1), 5u);
  EXPECT_EQ(first.value(2 + 999), 23u);
}

TEST(Markers, OfThreads) {
  Arena arena;
  ASSERT_TRUE(run_markers(arena, "threads").exited(0));
  const Marker thread(arena, "thread");
  // Apart: 1 and 2. Inside the same marker of the process, which holds both parts of both: 6.
  EXPECT_EQ(thread.value(1), 1u + 2u + 6u);
  EXPECT_EQ(thread.entries(), 2u + 1u + 2u);
  EXPECT_EQ(thread.record().of_one_thread, 2u);
  EXPECT_EQ(Marker(arena, "around").value(1), 6u);
  const Marker ended(arena, "ends with it");
  EXPECT_EQ(ended.value(1), 6u);
  EXPECT_EQ(ended.record().stopped_by_end, 4u);
  EXPECT_EQ(ended.record().open, 0u);
}

TEST(Markers, WorkOfThreadsThatTakePartInTheProcesssMarkerCountsOnce) {
  Arena arena;
  ASSERT_TRUE(run_markers(arena, "part").exited(0));
  const Marker second(arena, "second in");
  EXPECT_EQ(second.value(1), 3u + 5u + 7u + 11u);
  EXPECT_EQ(second.entries(), 2u);
  EXPECT_EQ(second.record().of_one_thread, 1u);
  const Marker first(arena, "first in");
  EXPECT_EQ(first.value(1), 3u + 5u + 7u + 11u) << "also after the main thread has stopped";
  EXPECT_EQ(first.entries(), 2u);
  EXPECT_EQ(first.record().of_one_thread, 1u) << "its second part";
  EXPECT_EQ(first.record().open, 0u);
}

TEST(Markers, InWhateverOrderThreadsStartAndStopWorkCountsOnce) {
  Arena arena;
  ASSERT_TRUE(run_markers(arena, "all_at_once").exited(0));
  EXPECT_EQ(Marker(arena, "all in").value(1), (1u + 3u) * 20000u);
  EXPECT_EQ(Marker(arena, "all in").record().open, 0u);
}

TEST(Markers, AForkedChildGoesOnInThem) {
  Arena arena;
  ASSERT_TRUE(run_markers(arena, "fork").exited(0));
  ASSERT_GT(arena.processes().size(), 10u);
  EXPECT_EQ(Marker(arena, "first").value(1), (arena.processes().size() - 1) * (5 + 13));
  for (std::size_t child = 1; child < arena.processes().size(); ++child) {
    EXPECT_EQ(Marker(arena, "first", child).value(1), 7u);
    EXPECT_EQ(Marker(arena, "first", child).entries(), 0u);
    EXPECT_EQ(Marker(arena, "first", child).record().open, 0u);
    EXPECT_EQ(Marker(arena, "second", child).value(1), 11u);
  }
}

TEST(Markers, HoldTheTrafficInBetween) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  ASSERT_TRUE(run_markers(arena, "traffic").exited(0));
  EXPECT_EQ(Marker(arena, "first").record().traffic.crossed[1].read, 64u * (300 + 5000));
  EXPECT_EQ(Marker(arena, "first").record().traffic.accesses, 300u + 5000u);
  EXPECT_EQ(Marker(arena, "second").record().traffic.crossed[1].read, 64u * (5000 + 7));
  const ridge_process_record& process = *arena.processes()[0];
  const auto* table = arena.at<ridge_region_traffic>(process.traffic);
  std::uint64_t all = 0;
  for (std::uint32_t region = 0; region < process.region_count; ++region) {
    all += table[region].crossed[1].read;
  }
  EXPECT_EQ(all, 64u * (100 + 300 + 5000 + 7 + 900 + 11));
  EXPECT_EQ(Marker(arena, "open").record().traffic.crossed[1].read + all, 64u * 11);
}

TEST(Markers, BeyondTheirRoomAreLeftOut) {
  Arena arena;
  const Ended ended = run_markers(arena, "full");
  ASSERT_TRUE(ended.exited(0)) << ended.errors;
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(process.marker_count, std::uint32_t{RIDGE_MARKERS_MAX});
  EXPECT_EQ(arena.threads(process)[0]->open_marker_count, std::uint64_t{RIDGE_OPEN_MARKERS_MAX});
  EXPECT_EQ(process.markers_left_out,
            std::uint32_t{2 * RIDGE_MARKERS_MAX - RIDGE_OPEN_MARKERS_MAX});
  EXPECT_EQ(Marker(arena, "marker 0000").record().stops_alone, 0u);
}

TEST(Markers, WithoutASessionNothingHappens) {
  const Ended ended = run(RIDGE_TEST_MARKERS, {"full"}, "");
  EXPECT_TRUE(ended.exited(0));
  EXPECT_EQ(ended.errors, "");
}

TEST(Markers, WithoutMemoryTheProgramGoesOn) {
  for (const std::uint64_t kibibytes : {64, 256, 9000, 20000}) {
    Arena arena(kibibytes << 10U);
    EXPECT_TRUE(run_markers(arena, "full").exited(0)) << kibibytes;
    Arena forked(kibibytes << 10U);
    EXPECT_TRUE(run_markers(forked, "fork").exited(0)) << kibibytes;
  }
}

}  // namespace
}  // namespace ridge::runtime_testing
