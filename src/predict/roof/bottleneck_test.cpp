#include "predict/roof/bottleneck.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

ResourceTime taking(double seconds, Overlap overlap) {
  ResourceTime resource;
  resource.seconds = seconds;
  resource.overlap = overlap;
  return resource;
}

std::vector<ResourceTime> some(std::mt19937& random) {
  std::uniform_real_distribution<double> seconds(0.0, 1.0);
  std::uniform_int_distribution<int> kind(0, 2);
  std::vector<ResourceTime> resources(1 + random() % 6);
  for (ResourceTime& resource : resources) {
    resource = taking(seconds(random), static_cast<Overlap>(kind(random)));
  }
  return resources;
}

TEST(Bottleneck, OneResourceNeedsAmountOverRatePlusLatency) {
  EXPECT_DOUBLE_EQ(resource_seconds(20e6, 768e9), 20e6 / 768e9);
  EXPECT_DOUBLE_EQ(resource_seconds(1e6, 1e9, 1e-5), 1e-3 + 1e-5);
  EXPECT_EQ(resource_seconds(0.0, 1e9, 1e-5), 0.0);  // unused: no latency either
}

TEST(Bottleneck, CombinesByHand) {
  const std::vector<ResourceTime> resources{taking(3.0, Overlap::compute),
                                            taking(1.0, Overlap::data), taking(2.5, Overlap::data),
                                            taking(0.5, Overlap::none)};
  const CombinedTime time = combine(resources);
  EXPECT_DOUBLE_EQ(time.max, 3.5);  // the transfer is waited for
  EXPECT_DOUBLE_EQ(time.ecm, 4.0);  // 1 + 2.5 beside 3, then 0.5
  EXPECT_DOUBLE_EQ(time.sum, 7.0);
  EXPECT_EQ(time.binding, 0U);
  EXPECT_EQ(time.next, 2U);
}

TEST(Bottleneck, OfEqualTimesTheFirstBinds) {
  const std::vector<ResourceTime> resources{taking(1.0, Overlap::compute),
                                            taking(1.0, Overlap::data)};
  EXPECT_EQ(combine(resources).binding, 0U);
  EXPECT_EQ(combine(resources).next, 1U);
}

TEST(Bottleneck, NothingBindsWhereNothingIsUsed) {
  EXPECT_FALSE(combine({}).binding);
  const std::vector<ResourceTime> idle{taking(0.0, Overlap::data)};
  EXPECT_FALSE(combine(idle).binding);
  EXPECT_EQ(combine(idle).sum, 0.0);
}

TEST(Bottleneck, PartialOverlapLiesBetweenMaximumAndSum) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto resources = some(random);
    const CombinedTime time = combine(resources);
    EXPECT_LE(time.max, time.ecm);
    EXPECT_LE(time.ecm, time.sum);
    for (const ResourceTime& resource : resources) {
      EXPECT_GE(time.max, resource.seconds * (1 - 1e-12));
    }
  }
}

TEST(Bottleneck, LongerResourcesNeverShortenAnyTime) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    auto resources = some(random);
    const CombinedTime before = combine(resources);
    resources[random() % resources.size()].seconds += 0.1;
    resources.push_back(taking(0.05, Overlap::data));
    const CombinedTime after = combine(resources);
    EXPECT_GE(after.max, before.max);
    EXPECT_GE(after.ecm, before.ecm * (1 - 1e-12));
    EXPECT_GE(after.sum, before.sum);
  }
}

TEST(Bottleneck, TheNaiveRoofIsTheLowerOfBoth) {
  EXPECT_DOUBLE_EQ(naive_roof(768.0, 210.0, 1.0 / 12), 17.5);
  EXPECT_DOUBLE_EQ(naive_roof(768.0, 210.0, 100.0), 768.0);
}

}  // namespace
}  // namespace ridge::predict
