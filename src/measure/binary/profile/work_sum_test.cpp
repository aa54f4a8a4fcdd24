#include "measure/binary/profile/work_sum.hpp"

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

RegionWork with_flops(std::uint64_t flops) {
  RegionWork work;
  work.flops.emplace().add(Precision::fp64, OperationKind::add, 256, flops);
  return work;
}

TEST(WorkSum, WhatIsUnknownEverywhereStaysUnknown) {
  WorkSum sum;
  sum.add({});
  EXPECT_FALSE(sum.finish().flops);
  EXPECT_FALSE(sum.finish().bytes_loaded);
}

TEST(WorkSum, IntervalsAndExactFiguresGiveAnInterval) {
  WorkSum sum;
  sum.add(with_flops(100));
  RegionWork masked = with_flops(80);
  masked.flops_interval = WorkInterval{0, 80};
  sum.add(masked);
  const RegionWork work = sum.finish();
  EXPECT_EQ(work.flops->total(), 180U);
  ASSERT_TRUE(work.flops_interval);
  EXPECT_EQ(work.flops_interval->low, 100U);
  EXPECT_EQ(work.flops_interval->high, 180U);
}

TEST(WorkSum, ExactFiguresGiveNone) {
  WorkSum sum;
  sum.add(with_flops(100));
  sum.add(with_flops(1));
  EXPECT_FALSE(sum.finish().flops_interval);
}

TEST(WorkSum, BytesSaturate) {
  RegionWork much;
  much.bytes_loaded = UINT64_MAX - 1;
  WorkSum sum;
  sum.add(much);
  sum.add(much);
  EXPECT_EQ(sum.finish().bytes_loaded, UINT64_MAX);
}

}  // namespace
}  // namespace ridge::measure::binary
