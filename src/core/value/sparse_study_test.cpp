#include "core/value/sparse_study.hpp"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

using testing::ElementsAre;

TEST(SparsePicture, ShadesFollowTheLogarithm) {
  EXPECT_THAT(shades_of(std::vector{0.0, 1e-6, 1e-4, 1e-2, 3e-5}, 5), ElementsAre(-1, 0, 2, 4, 1));
}

TEST(SparsePicture, OneDensityIsAsDarkAsItGets) {
  EXPECT_THAT(shades_of(std::vector{0.0, 0.5}, 10), ElementsAre(-1, 9));
  EXPECT_THAT(shades_of(std::vector{0.0, 0.0}, 10), ElementsAre(-1, -1));
  EXPECT_TRUE(shades_of({}, 10).empty());
}

TEST(SparsePicture, ShadesOfAScaleWithoutEndAreInside) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THAT(shades_of(std::vector{0.0, 1e-300, 1.0, 1e300}, 10), ElementsAre(-1, 0, 0, 9));
  EXPECT_THAT(shades_of(std::vector{1.0, infinite}, 10), ElementsAre(0, 9));
}

}  // namespace
}  // namespace ridge
