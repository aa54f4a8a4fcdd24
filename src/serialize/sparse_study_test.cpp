#include "serialize/sparse_study.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sparse_study_for_tests.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SparseStudy, WritesUnitsAndOrigins) {
  const std::string json = write_sparse_study(sparse_study_for_tests());
  EXPECT_THAT(json, HasSubstr("\"schema\": \"ridge.spmv/1\""));
  EXPECT_THAT(json, HasSubstr("\"unit\": \"Flop/s\""));
  EXPECT_THAT(json, HasSubstr("\"origin\": \"simulated\""));
  EXPECT_THAT(json, HasSubstr("\"break_even_products\": 19"));
}

TEST(SparseStudy, UnknownIsAbsent) {
  SparseStudy study = sparse_study_for_tests();
  study.measured_alpha.reset();
  study.given_traffic.reset();
  study.timings[1].break_even.reset();
  study.timings[1].speedup.reset();
  study.timings[1].conversion_products = std::numeric_limits<double>::quiet_NaN();
  study.reorderings.clear();
  const std::string json = write_sparse_study(study);
  EXPECT_THAT(json, Not(HasSubstr("measured_alpha")));
  EXPECT_THAT(json, Not(HasSubstr("given_traffic")));
  EXPECT_THAT(json, Not(HasSubstr("break_even")));
  EXPECT_THAT(json, Not(HasSubstr("null")));
}

}  // namespace
}  // namespace ridge::serialize
