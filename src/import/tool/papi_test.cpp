#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;

TEST(Papi, CountsOfThreadsAddUpAndTheSlowestIsTheTime) {
  const Imported imported = import_file("papi.json");
  EXPECT_EQ(imported.version, "7.0.1.0");
  const Region* spmv = find_region(imported, "spmv");
  ASSERT_NE(spmv, nullptr);
  EXPECT_EQ(spmv->threads, 2U);
  EXPECT_EQ(spmv->entries, 5U);
  EXPECT_EQ(spmv->flops->total(Precision::fp64), 3100U);
  EXPECT_DOUBLE_EQ(spmv->time_seconds.self->value.value(), 600e-6);
}

TEST(Papi, ARegionWithOthersInsideKeepsItsInclusiveTimeAlone) {
  const Imported imported = import_file("papi.json");
  const Region* solve = find_region(imported, "solve");
  ASSERT_NE(solve, nullptr);
  EXPECT_FALSE(solve->flops);
  EXPECT_FALSE(solve->time_seconds.self);
  EXPECT_DOUBLE_EQ(solve->time_seconds.inclusive->value.value(), 900e-6);
  EXPECT_TRUE(has_note(solve->notes, "contains-others"));
}

TEST(Papi, BrokenFilesGiveFileLineAndReason) {
  const auto of_regions = [](std::string_view regions) {
    return refusal("{\"papi_version\": \"7\",\n\"threads\": {\"0\": {\"regions\": {\n" +
                   std::string(regions) + "}}}}");
  };
  EXPECT_THAT(of_regions(R"("0": {"name": "a", "real_time_nsec": "x"})"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(of_regions(R"("0": {"name": "a", "real_time_nsec": "-1"})"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(of_regions(R"("0": {"real_time_nsec": "1"})"), HasSubstr("name"));
  EXPECT_THAT(
      of_regions(
          R"("0": {"name": "a", "real_time_nsec": "1"}, "1": {"name": "a", "real_time_nsec": "1"})"),
      HasSubstr("second time"));
  EXPECT_THAT(refusal("{\"papi_version\": \"7\", \"threads\": {}}"), HasSubstr("no figure"));
}

TEST(Papi, WhatOneThreadDidNotCountIsUnknown) {
  const auto imported = import_text({R"({"papi_version": "7", "threads": {
    "0": {"regions": {"0": {"name": "a", "real_time_nsec": "1000", "PAPI_DP_OPS": "5"}}},
    "1": {"regions": {"0": {"name": "a", "real_time_nsec": "1000"}}}}})",
                                     "f.txt"});
  ASSERT_TRUE(imported);
  EXPECT_FALSE(imported->regions[0].flops);
}

}  // namespace
}  // namespace ridge::imports
