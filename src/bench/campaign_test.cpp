#include "bench/campaign.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

PlanOptions options(Effort effort) {
  return {.effort = effort, .simd = {.avx = true, .fma = true, .avx2 = true}};
}

Campaign chosen(Effort effort, const std::vector<std::string>& only = {}) {
  auto campaign = choose(testing_fixture::small(), options(effort), only);
  EXPECT_TRUE(campaign) << campaign.error().message;
  return campaign ? *campaign : Campaign{};
}

TEST(Campaign, EffortsAddRoofsThenSustainedRates) {
  const Campaign quick = chosen(Effort::quick);
  EXPECT_TRUE(quick.roofs.empty());
  EXPECT_TRUE(quick.sustained.empty());
  const Campaign standard = chosen(Effort::standard);
  EXPECT_EQ(standard.roofs.size(), 4U) << "each level, one thread";
  EXPECT_TRUE(standard.sustained.empty());
  EXPECT_TRUE(standard.numa && standard.siblings);
  EXPECT_FALSE(quick.numa || quick.siblings);
  const Campaign full = chosen(Effort::full);
  EXPECT_EQ(full.roofs.size(), 8U) << "each level, one thread and all";
  ASSERT_EQ(full.sustained.size(), 2U);
  EXPECT_EQ(full.sustained[0].id, "compute.fp64.avx2.fma.t2");
  EXPECT_EQ(full.sustained[1].id, "bandwidth.DRAM.load.avx2.t2");
}

TEST(Campaign, ARoofIsThereWhenItsTwoCeilingsAre) {
  EXPECT_TRUE(chosen(Effort::standard, {"L1"}).roofs.empty());
  const auto roofs = chosen(Effort::standard, {"fp64", "L1"}).roofs;
  ASSERT_EQ(roofs.size(), 1U);
  EXPECT_EQ(roofs[0].bandwidth.level, Level::L1);
}

TEST(Campaign, PartsNamedBringTheirCeilingsAlong) {
  const Campaign roof = chosen(Effort::quick, {"roof", "L2"});
  EXPECT_EQ(roof.roofs.size(), 1U);
  for (const PlannedKernel& kernel : roof.ceilings) {
    EXPECT_TRUE(kernel.level == Level::L2 || kernel.kernel->name() == "fma") << kernel.id;
  }
  const Campaign held = chosen(Effort::quick, {"sustained"});
  EXPECT_EQ(held.ceilings.size(), 2U);
  EXPECT_EQ(held.sustained.size(), 2U);
  EXPECT_TRUE(held.roofs.empty());
  const Campaign nodes = chosen(Effort::quick, {"numa"});
  EXPECT_TRUE(nodes.numa);
  EXPECT_FALSE(nodes.siblings);
  ASSERT_EQ(nodes.ceilings.size(), 1U);
  EXPECT_EQ(nodes.ceilings[0].id, "bandwidth.DRAM.load.avx2.t1");
}

TEST(Campaign, IntegersAskedForAreThoseOfEveryInstructionSet) {
  const auto ids_of = [](const Campaign& campaign) {
    std::set<std::string> ids;
    for (const PlannedKernel& kernel : campaign.ceilings) {
      ids.insert(kernel.id);
    }
    return ids;
  };
  const auto all = ids_of(chosen(Effort::quick));
  EXPECT_TRUE(all.contains("compute.int64.avx2.add.t1"));
  EXPECT_FALSE(all.contains("compute.int64.sse.add.t1"));
  const auto integers = ids_of(chosen(Effort::quick, {"int"}));
  EXPECT_TRUE(integers.contains("compute.int64.sse.add.t1"));
  EXPECT_TRUE(integers.contains("compute.int32.scalar.mul.t2"));
  for (const std::string& id : integers) {
    EXPECT_TRUE(id.starts_with("compute.int")) << id;
  }
}

TEST(Campaign, ASelectionOfNothingIsRefused) {
  const auto nothing = choose(testing_fixture::small(), options(Effort::quick), {"scalar", "L3"});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::usage);
  EXPECT_FALSE(nothing.error().hint.empty());
}

}  // namespace
}  // namespace ridge::bench
