#include "measure/ranks/cache_share.hpp"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

/// 16 threads; caches of one, one and eight of them.
Machine machine_of_test() {
  Machine machine;
  machine.topology = Topology{2, 2, 16, 16};
  machine.caches.resize(3);
  machine.caches[0] = {Level::L1, 32768, 8, 64, 1, {}, {}};
  machine.caches[1] = {Level::L2, 1048576, 16, 64, 1, {}, {}};
  machine.caches[2] = {Level::L3, 33554432, 16, 64, 8, {}, {}};
  return machine;
}

TEST(ShareOfCaches, OfASharedCacheFewerWays) {
  const Machine share = share_of_caches(machine_of_test(), 8);  // four in front of each L3
  EXPECT_EQ(share.caches[2].ways, 4U);
  EXPECT_EQ(share.caches[2].size_bytes, 33554432U / 4);
  EXPECT_EQ(share.caches[0], machine_of_test().caches[0]);
  EXPECT_EQ(share.caches[1], machine_of_test().caches[1]);
}

TEST(ShareOfCaches, AtLeastOneWayIsLeft) {
  EXPECT_EQ(share_of_caches(machine_of_test(), 1024).caches[2].ways, 1U);
}

TEST(ShareOfCaches, OneRankHasAll) {
  EXPECT_EQ(share_of_caches(machine_of_test(), 1), machine_of_test());
  EXPECT_EQ(share_of_caches(machine_of_test(), 2), machine_of_test()) << "one for each L3";
  Machine unknown = machine_of_test();
  unknown.topology.reset();
  EXPECT_EQ(share_of_caches(unknown, 8), unknown);
}

}  // namespace
}  // namespace ridge::measure
