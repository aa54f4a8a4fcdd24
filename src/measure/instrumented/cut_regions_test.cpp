#include "measure/instrumented/cut_regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// main, its loop of time steps, the body of a parallel region that the loop starts, a loop of the
/// body and one within; all loops have counters that are written when they are left.
RegionTable time_steps() {
  RegionTable table;
  table.of_raw = {kNoRegion, 0, 1, 2, 3, 4};
  const RegionKind kinds[] = {RegionKind::function, RegionKind::loop, RegionKind::function,
                              RegionKind::loop, RegionKind::loop};
  for (std::uint32_t i = 0; i < 5; ++i) {
    MergedRegion region;
    region.kind = kinds[i];
    region.deferred = region.kind == RegionKind::loop;
    region.parent = i == 0 ? std::nullopt : std::optional(i - 1);
    table.regions.push_back(region);
  }
  return table;
}

RawProcess stopped_in(std::vector<std::uint32_t> stack) {
  RawProcess process;
  process.threads.push_back({1, 0, std::move(stack)});
  return process;
}

TEST(CutRegions, AreThoseInTheOutermostLoopThatAThreadWasIn) {
  EXPECT_THAT(cut_regions(stopped_in({5}), time_steps()), ElementsAre(3U, 4U));
  EXPECT_THAT(cut_regions(stopped_in({4}), time_steps()), ElementsAre(3U, 4U));
  EXPECT_THAT(cut_regions(stopped_in({1}), time_steps()), IsEmpty());
}

TEST(CutRegions, ALoopThatStartsABodyIsNotAroundItsLoops) {
  EXPECT_THAT(cut_regions(stopped_in({2}), time_steps()), ElementsAre(1U));
  EXPECT_THAT(cut_regions(stopped_in({2, 5}), time_steps()), ElementsAre(1U, 3U, 4U));
}

}  // namespace
}  // namespace ridge::measure
