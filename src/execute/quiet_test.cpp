#include "execute/quiet.hpp"

#include <gtest/gtest.h>

namespace ridge::execute {
namespace {

std::vector<Sample> samples(std::size_t quiet, std::size_t disturbed) {
  std::vector<Sample> made(quiet, Sample{1.0, 1.0, 1e9, 1000.0});
  made.insert(made.end(), disturbed, Sample{1.6, 1.6, 1e9, 1400.0});
  return made;
}

TEST(QuietSamples, AreToldByTheBurstsBesideThem) {
  EXPECT_EQ(quiet_samples(samples(40, 60)).samples.size(), 40U);
  EXPECT_FALSE(quiet_samples(samples(40, 60)).is_disturbed);
  EXPECT_EQ(quiet_samples(samples(19, 81)).samples.size(), 100U);
  EXPECT_TRUE(quiet_samples(samples(19, 81)).is_disturbed);
  EXPECT_EQ(quiet_samples(samples(2, 3)).samples.size(), 5U);
  EXPECT_FALSE(quiet_samples(samples(2, 3)).is_disturbed);
}

}  // namespace
}  // namespace ridge::execute
