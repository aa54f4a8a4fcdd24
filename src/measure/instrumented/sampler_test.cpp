#include "measure/instrumented/sampler.hpp"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

DescriptorBuilder nest() {
  DescriptorBuilder unit;
  const auto main = unit.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT, 1);
  const auto outer = unit.region(RIDGE_REGION_LOOP, "main", main, 2);
  unit.region(RIDGE_REGION_LOOP, "main", outer, 3);
  return unit;
}

/// Our own process plays the measured one: it is alive and has clocks.
class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() : process_(arena_.process(static_cast<std::uint32_t>(getpid()))) {
    arena_.module(process_, nest());
    thread_ = arena_.thread(process_, static_cast<std::uint32_t>(gettid()));
  }

  std::vector<RegionTimes> times_of(const SampleSet& samples, std::size_t process = 0) {
    decoded_ = *decode(arena_.bytes());
    return samples.processes.at(process).samples.resolve(
        merge_regions(decoded_.processes.at(process)));
  }

  ArenaBuilder arena_;
  std::uint64_t process_;
  std::uint64_t thread_ = 0;
  DecodedArena decoded_;
};

TEST_F(SamplerTest, FollowsTheStackOfAThread) {
  Sampler sampler(arena_.bytes());
  arena_.stack(thread_, {1});
  sampler.tick(1.0);
  arena_.stack(thread_, {3});
  sampler.tick(2.0);
  arena_.stack(thread_, {2, 0}, 1);  // the same two, as a module from region 1 on writes them
  sampler.tick(4.0);
  arena_.stack(thread_, {});
  sampler.tick(8.0);
  const auto samples = sampler.finish();
  EXPECT_EQ(samples.ticks, 4U);
  EXPECT_DOUBLE_EQ(samples.sampled_seconds, 15.0);
  EXPECT_DOUBLE_EQ(samples.attributed_seconds, 7.0);
  const auto times = times_of(samples);
  EXPECT_DOUBLE_EQ(times[0].wall_self, 5.0);
  EXPECT_DOUBLE_EQ(times[0].wall_inclusive, 7.0);
  EXPECT_DOUBLE_EQ(times[1].wall_inclusive, 6.0);
  EXPECT_DOUBLE_EQ(times[2].wall_self, 2.0);
  EXPECT_DOUBLE_EQ(times[2].wall_inclusive, 6.0);
}

TEST_F(SamplerTest, UsesTheClockOfTheProcess) {
  Sampler sampler(arena_.bytes());
  arena_.stack(thread_, {1});
  volatile double x = 1.0;
  const auto begin = *process_cpu_nanoseconds(getpid());
  for (int tick = 0; tick < 20; ++tick) {
    const auto until = *process_cpu_nanoseconds(getpid()) + 100'000;
    while (*process_cpu_nanoseconds(getpid()) < until) {
      x = x * 1.0000001;
    }
    sampler.tick(0.0001);
  }
  const auto used = static_cast<double>(*process_cpu_nanoseconds(getpid()) - begin) * 1e-9;
  const auto times = times_of(sampler.finish());
  // The first reading only sets the zero.
  EXPECT_LE(times[0].cpu_self, used);
  EXPECT_GE(times[0].cpu_self, 19 * 100e-6);
  EXPECT_EQ(times[0].cpu_samples_self, 19U);
}

TEST_F(SamplerTest, EndedThreadsAndDeadProcessesAreNotSeen) {
  Sampler sampler(arena_.bytes());
  arena_.stack(thread_, {1});
  arena_.at<ridge_thread>(thread_).tid = 0;
  sampler.tick(1.0);
  arena_.at<ridge_thread>(thread_).tid = static_cast<std::uint32_t>(gettid());
  sampler.tick(2.0);
  EXPECT_DOUBLE_EQ(sampler.finish().attributed_seconds, 2.0);

  ArenaBuilder other;
  const auto dead = other.process(0x3fffffff);  // above any pid_max
  other.module(dead, nest());
  other.stack(other.thread(dead, 0x3fffffff), {1});
  Sampler second(other.bytes());
  second.tick(1.0);
  EXPECT_DOUBLE_EQ(second.finish().attributed_seconds, 0.0);
}

TEST_F(SamplerTest, AfterAnExecOnlyTheNewRecordLives) {
  arena_.stack(thread_, {1});
  const auto replaced = arena_.process(static_cast<std::uint32_t>(getpid()));
  arena_.module(replaced, nest());
  const auto thread = arena_.thread(replaced, static_cast<std::uint32_t>(gettid()));
  arena_.stack(thread, {2});
  Sampler sampler(arena_.bytes());
  sampler.tick(1.0);
  const auto samples = sampler.finish();
  ASSERT_THAT(samples.processes, SizeIs(2));
  EXPECT_EQ(samples.processes[0].samples.ticks(), 0U);
  EXPECT_EQ(samples.processes[1].samples.ticks(), 1U);
}

TEST_F(SamplerTest, ThreadsAreCountedAtOnce) {
  arena_.stack(thread_, {3});
  arena_.stack(arena_.thread(process_, static_cast<std::uint32_t>(gettid()), 1), {3});
  Sampler sampler(arena_.bytes());
  sampler.tick(1.0);
  const auto samples = sampler.finish();
  EXPECT_EQ(samples.most_threads, 2U);
  const auto times = times_of(samples);
  EXPECT_EQ(times[2].threads_self, 2U);
  EXPECT_DOUBLE_EQ(times[2].wall_self, 1.0);
}

TEST(Sampler, WorkersThatHaveLeftABodyAreOfItsTeam) {
  DescriptorBuilder unit;
  const auto main = unit.region(RIDGE_REGION_FUNCTION, "main", RIDGE_NO_PARENT, 1);
  unit.region(RIDGE_REGION_OMP_WAIT, "__kmpc_fork_call", main, 2);
  const auto body = unit.region(RIDGE_REGION_FUNCTION, "main", main, 2);
  unit.region(RIDGE_REGION_LOOP, "main", body, 3);
  ArenaBuilder arena;
  const auto process = arena.process(static_cast<std::uint32_t>(getpid()));
  arena.module(process, unit);
  const auto tid = static_cast<std::uint32_t>(gettid());
  const auto master = arena.thread(process, tid);
  const auto worker = arena.thread(process, tid, 1);
  arena.stack(master, {2, 4});
  Sampler sampler(arena.bytes());
  arena.stack(worker, {});
  sampler.tick(1.0);  // the worker has not begun: nothing says whose it is
  arena.stack(worker, {4});
  sampler.tick(2.0);
  arena.stack(worker, {});
  sampler.tick(4.0);
  const auto samples = sampler.finish();
  const auto decoded = *decode(arena.bytes());
  const auto times =
      samples.processes.at(0).samples.resolve(merge_regions(decoded.processes.at(0)));
  EXPECT_DOUBLE_EQ(times[1].waits.sum(), 4.0);
  EXPECT_DOUBLE_EQ(times[3].caused, 4.0);
  EXPECT_DOUBLE_EQ(times[3].share, 7.0);
  EXPECT_EQ(samples.most_threads, 2U);
}

TEST_F(SamplerTest, ProcessesSeenAtTheSameTimeShareTheWallTime) {
  arena_.stack(thread_, {1});
  const auto child = arena_.process(1);  // some process that lives
  arena_.module(child, nest());
  arena_.stack(arena_.thread(child, 1), {2});
  Sampler sampler(arena_.bytes());
  sampler.tick(1.0);
  const auto samples = sampler.finish();
  EXPECT_DOUBLE_EQ(times_of(samples, 0)[0].share, 0.5);
  EXPECT_DOUBLE_EQ(times_of(samples, 1)[1].share, 0.5);
  EXPECT_DOUBLE_EQ(times_of(samples, 1)[1].wall_self, 1.0);
}

TEST_F(SamplerTest, WildDepthsAndOffsetsAreHarmless) {
  auto& block = arena_.at<ridge_thread>(thread_);
  block.depth = ~0ULL;
  block.next = 12345;
  arena_.record(process_).next = ~0ULL;
  Sampler sampler(arena_.bytes());
  sampler.tick(1.0);
  arena_.header().processes = 3;  // not aligned, not a record
  sampler.tick(1.0);
  EXPECT_EQ(sampler.finish().ticks, 2U);
}

TEST(Sampler, AnEmptyArenaIsUnattributed) {
  const ArenaBuilder arena;
  Sampler sampler(arena.bytes());
  sampler.tick(1.0);
  const auto samples = sampler.finish();
  EXPECT_THAT(samples.processes, IsEmpty());
  EXPECT_DOUBLE_EQ(samples.sampled_seconds, 1.0);
  EXPECT_DOUBLE_EQ(samples.attributed_seconds, 0.0);
}

}  // namespace
}  // namespace ridge::measure
