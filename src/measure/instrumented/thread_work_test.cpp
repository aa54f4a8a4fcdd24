#include "measure/instrumented/thread_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

/// A function with a loop (2 flop and 8 byte each time round) that calls a library.
class ThreadWorkTest : public ::testing::Test {
 protected:
  ThreadWorkTest() {
    DescriptorBuilder unit;
    const auto function = unit.region(RIDGE_REGION_FUNCTION, "kernel", RIDGE_NO_PARENT, 1);
    const auto loop = unit.region(RIDGE_REGION_LOOP, "kernel", function, 2);
    const auto call = unit.region(RIDGE_REGION_CALL, "erf", loop);
    unit.counter(function);
    unit.term(RIDGE_ENTRIES, 1);
    unit.counter(loop);
    unit.flops(RIDGE_FP64, RIDGE_ADD, 64, 2);
    unit.term(RIDGE_BYTES_LOADED, 6);
    unit.term(RIDGE_BYTES_STORED, 2);
    unit.term(RIDGE_HEADER_EXECUTIONS, 1);
    unit.counter(call);
    unit.term(RIDGE_CALLS, 1, "erf");
    process_ = arena_.process(42);
    arena_.module(process_, unit, 1, 0, {"/lib/libm.so.6"});
  }

  /// The next thread: it entered the function so often, and its loop turned so often.
  void thread(std::uint64_t entries, std::uint64_t turns) {
    const auto block = arena_.thread(process_, 100 + ordinal_, ordinal_);
    ++ordinal_;
    arena_.count(block, 0, entries);
    arena_.count(block, 1, turns);
    arena_.count(block, 2, turns);
  }

  /// Of the merged region 0 (function), 1 (loop) or 2 (library).
  std::vector<ThreadWork> work_of(std::uint32_t region, const RegionTimes& times = {}) {
    const auto decoded = decode(arena_.bytes());
    return thread_work(merge_regions(decoded->processes.at(0)), region, times, &samples_);
  }

  ArenaBuilder arena_;
  std::uint64_t process_ = 0;
  std::uint32_t ordinal_ = 0;
  Accumulator samples_;
};

TEST(ThreadWork, WhoStartsABodyTakesNoPartInItsLoops) {
  RegionTable table;
  const RegionKind kinds[] = {RegionKind::loop, RegionKind::function, RegionKind::loop};
  for (std::uint32_t i = 0; i < 3; ++i) {
    MergedRegion region;
    region.kind = kinds[i];
    region.parent = i == 0 ? std::nullopt : std::optional(i - 1);
    table.regions.push_back(region);
  }
  table.regions[0].by_thread[7].flops = 1;  // around the body
  table.regions[1].by_thread[1].entries = 1;
  table.regions[2].by_thread[2].flops = 5;
  const auto work = thread_work(table, 2, {}, nullptr);
  EXPECT_THAT(work, ElementsAre(Field(&ThreadWork::thread, 1U), Field(&ThreadWork::thread, 2U)));
}

TEST_F(ThreadWorkTest, EachThreadHasItsOwnCounts) {
  thread(1, 30);
  thread(1, 10);
  EXPECT_THAT(work_of(1),
              ElementsAre(ThreadWork{0, 60, 240, 30, {}}, ThreadWork{1, 20, 80, 10, {}}));
  EXPECT_DOUBLE_EQ(work_imbalance(work_of(1))->max_over_mean, 1.5);
}

TEST_F(ThreadWorkTest, OneThreadIsNoList) {
  thread(1, 30);
  EXPECT_THAT(work_of(1), IsEmpty());
}

TEST_F(ThreadWorkTest, AThreadThatWasNotThereIsNoPart) {
  thread(1, 30);
  thread(0, 0);
  EXPECT_THAT(work_of(1), IsEmpty());
}

TEST_F(ThreadWorkTest, AThreadThatGotNothingOfTheLoopTookPart) {
  thread(1, 30);
  thread(1, 0);
  EXPECT_THAT(work_of(1), ElementsAre(ThreadWork{0, 60, 240, 30, {}}, ThreadWork{1, 0, 0, 0, {}}));
}

TEST_F(ThreadWorkTest, CpuTimeComesFromTheSamplesOfEachThread) {
  thread(1, 30);
  thread(1, 10);
  samples_.add_cpu(0, 0.4, 400, 0);
  RegionTimes times;
  times.cpu_self_by_thread = {{0, {0.3, 300}}, {1, {0.1, 100}}};
  const auto work = work_of(1, times);
  ASSERT_EQ(work.size(), 2U);
  EXPECT_DOUBLE_EQ(work[0].cpu_seconds->value.value(), 0.3);
  EXPECT_EQ(work[1].cpu_seconds->samples, 100U);
  EXPECT_LT(work[1].cpu_seconds->low.value(), 0.1);
  EXPECT_DOUBLE_EQ(cpu_imbalance(work)->max_over_mean, 1.5);
}

TEST_F(ThreadWorkTest, LibrariesHaveNone) {
  thread(1, 30);
  thread(1, 10);
  EXPECT_THAT(work_of(2), IsEmpty()) << "what they did is unknown";
}

}  // namespace
}  // namespace ridge::measure
