#include "core/value/thread_work.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

ThreadWork worker(std::uint64_t flops, std::uint64_t bytes, std::uint64_t iterations) {
  return {0, flops, bytes, iterations, {}};
}

ThreadWork busy(double seconds, std::uint64_t samples) {
  ThreadWork work;
  work.cpu_seconds = SampledTime{Seconds(seconds), Seconds(seconds), Seconds(seconds), samples};
  return work;
}

TEST(WorkImbalance, IsTheMostOverTheMean) {
  const auto found = work_imbalance({worker(30, 1, 1), worker(10, 1, 1), worker(20, 1, 1)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->quantity, BalanceOf::flops);
  EXPECT_DOUBLE_EQ(found->max_over_mean, 1.5);
  EXPECT_EQ(found->threads, 3U);
}

TEST(WorkImbalance, AThreadWithoutWorkCounts) {
  EXPECT_DOUBLE_EQ(work_imbalance({worker(8, 0, 0), worker(0, 0, 0)})->max_over_mean, 2.0);
}

TEST(WorkImbalance, FallsBackOnBytesThenOnIterations) {
  EXPECT_EQ(work_imbalance({worker(0, 8, 1), worker(0, 24, 1)}),
            (Imbalance{BalanceOf::bytes, 1.5, 2}));
  EXPECT_EQ(work_imbalance({worker(0, 0, 1), worker(0, 0, 1)}),
            (Imbalance{BalanceOf::iterations, 1.0, 2}));
}

TEST(WorkImbalance, IsAbsentForOneThreadAndForNoWork) {
  EXPECT_FALSE(work_imbalance({worker(8, 8, 8)}));
  EXPECT_FALSE(work_imbalance({}));
  EXPECT_FALSE(work_imbalance({worker(0, 0, 0), worker(0, 0, 0)}));
}

TEST(CpuImbalance, IsTheMostOverTheMean) {
  EXPECT_EQ(cpu_imbalance({busy(3.0, 300), busy(1.0, 100)}),
            (Imbalance{BalanceOf::cpu_seconds, 1.5, 2}));
}

TEST(CpuImbalance, IsAbsentWhereSamplesAreTooFew) {
  EXPECT_FALSE(cpu_imbalance({busy(0.1, 100), busy(0.09, 99)}));
  EXPECT_TRUE(cpu_imbalance({busy(0.1, 100), busy(0.1, 100)}));
  EXPECT_FALSE(cpu_imbalance({worker(8, 8, 8), worker(8, 8, 8)})) << "never seen by a sample";
}

}  // namespace
}  // namespace ridge
