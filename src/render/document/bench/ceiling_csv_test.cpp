#include "render/document/bench/ceiling_csv.hpp"

#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

TEST(CeilingCsv, Golden) {
  expect_golden("ceilings.csv", ceiling_csv(fixture::zen4()));
}

}  // namespace
}  // namespace ridge::render
