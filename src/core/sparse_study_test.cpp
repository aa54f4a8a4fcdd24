#include "core/sparse_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

using testing::ElementsAre;

TEST(SparsePicture, ShadesFollowTheLogarithm) {
  EXPECT_THAT(shades_of({5, 1, {0, 1e-6, 1e-4, 1e-2, 3e-5}}, 5), ElementsAre(-1, 0, 2, 4, 1));
}

TEST(SparsePicture, OneDensityIsAsDarkAsItGets) {
  EXPECT_THAT(shades_of({2, 1, {0, 0.5}}, 10), ElementsAre(-1, 9));
  EXPECT_THAT(shades_of({2, 1, {0, 0}}, 10), ElementsAre(-1, -1));
  EXPECT_TRUE(shades_of({}, 10).empty());
}

}  // namespace
}  // namespace ridge
