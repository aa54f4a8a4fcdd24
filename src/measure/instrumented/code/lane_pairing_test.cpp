#include "measure/instrumented/code/lane_pairing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr KindOfWork kAdds{Precision::fp64, OperationKind::add};

OperationCounts adds(std::uint64_t flops, unsigned width_bits = 512) {
  OperationCounts counts;
  counts.add({Precision::fp64, OperationKind::add, width_bits}, flops);
  return counts;
}

WorkRange masked(const OperationCounts& counts) {
  return {{{}, counts}, {{}, counts}};
}

TEST(LanePairing, CountersAreRightWhereTheCodeMasksAsMuch) {
  const LanePairing pairing = pair_lanes(masked(adds(8)), adds(8));
  EXPECT_THAT(pairing.counted, ElementsAre(kAdds));
  EXPECT_TRUE(pairing.open.empty());
}

TEST(LanePairing, WidthsMayDiffer) {
  const LanePairing pairing = pair_lanes(masked(adds(16, 512)), adds(16, 1024));
  EXPECT_THAT(pairing.counted, ElementsAre(kAdds));
  EXPECT_TRUE(pairing.open.empty());
}

TEST(LanePairing, WhatIsMaskedBeyondTheCountersIsOpen) {
  const LanePairing pairing = pair_lanes(masked(adds(24)), adds(8));
  EXPECT_THAT(pairing.counted, ElementsAre(kAdds));
  EXPECT_EQ(pairing.open, adds(16));
}

TEST(LanePairing, OfAPartNobodyKnowsWhich) {
  const LanePairing pairing = pair_lanes(masked(adds(8)), adds(16));
  EXPECT_THAT(pairing.counted, IsEmpty());
  EXPECT_EQ(pairing.open, adds(8));
}

TEST(LanePairing, CopiesThatDifferAreOpen) {
  const LanePairing pairing = pair_lanes({{{}, {}}, {{}, adds(8)}}, adds(8));
  EXPECT_THAT(pairing.counted, IsEmpty());
  EXPECT_EQ(pairing.open, adds(8));
}

TEST(LanePairing, WithoutMasksNothingIsCountedByLanes) {
  const LanePairing pairing = pair_lanes({}, adds(8));
  EXPECT_THAT(pairing.counted, IsEmpty());
  EXPECT_TRUE(pairing.open.empty());
}

}  // namespace
}  // namespace ridge::measure
