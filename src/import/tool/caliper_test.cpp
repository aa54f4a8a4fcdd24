#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Caliper, ProcessesAddUpAndTheSlowestGivesTheTime) {
  const Imported imported = import_file("caliper.json");
  EXPECT_EQ(imported.version, "2.10.0");
  EXPECT_EQ(imported.argv, std::vector<std::string>{"/home/user/solver"});
  ASSERT_EQ(imported.regions.size(), 3U);
  const Region* sweep = find_region(imported, "sweep");
  ASSERT_NE(sweep, nullptr);
  EXPECT_EQ(sweep->kind, RegionKind::marker);
  EXPECT_EQ(sweep->threads, 2U);
  EXPECT_EQ(sweep->entries, 200U);
  EXPECT_EQ(sweep->flops->total(), 9000000000U);
  EXPECT_DOUBLE_EQ(sweep->time_seconds.self->value.value(), 2.5);
  EXPECT_TRUE(has_note(sweep->notes, "several-processes"));
  EXPECT_TRUE(has_note(imported.notes, "outside-regions"));
  EXPECT_DOUBLE_EQ(find_region(imported, "main")->time_seconds.self->value.value(), 1.5);
}

/// One column of a value and one of regions.
std::string file_of(std::string_view title, std::string_view metadata, std::string_view rows,
                    std::string_view nodes = R"({"label": "a"}, {"label": "b", "parent": 0})") {
  return R"({"data": [)" + std::string(rows) + R"(], "columns": [")" + std::string(title) +
         R"(", "path"], "column_metadata": [{"is_value": true)" + std::string(metadata) +
         R"(}, {"is_value": false}], "nodes": [)" + std::string(nodes) + "]}";
}

double seconds_of(std::string_view title, std::string_view metadata) {
  const auto imported = import_text({file_of(title, metadata, "[ 5e6, 0 ]"), "f"});
  EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
  return imported ? imported->regions.at(0).time_seconds.self->value.value() : 0.0;
}

TEST(Caliper, TimesHaveTheUnitOfTheirColumn) {
  EXPECT_DOUBLE_EQ(seconds_of("sum#sum#time.duration.ns", ""), 5e-3);
  EXPECT_DOUBLE_EQ(seconds_of("sum#time.duration", R"(, "time.unit": "usec")"), 5.0);
  EXPECT_DOUBLE_EQ(seconds_of("time", R"(, "attribute.unit": "sec")"), 5e6);
}

TEST(Caliper, ATimeWithoutUnitIsUnknown) {
  EXPECT_THAT(refusal(file_of("sum#time.duration", "", "[ 5, 0 ]")), HasSubstr("no figure"));
  EXPECT_THAT(refusal(file_of("sum#time.duration", R"(, "time.unit": "day")", "[ 5, 0 ]")),
              HasSubstr("no figure"));
}

/// A mean over processes is no sum, and an inclusive time not the region's own.
TEST(Caliper, OtherAggregatesAreNotTaken) {
  for (const std::string_view title :
       {"avg#papi.PAPI_DP_OPS", "max#sum#papi.PAPI_DP_OPS", "inclusive#sum#time.duration.ns"}) {
    EXPECT_THAT(refusal(file_of(title, "", "[ 5, 0 ]")), HasSubstr("no figure")) << title;
  }
}

TEST(Caliper, RecordsOfOneRegionAddUpAndAMissingValueIsUnknown) {
  const auto both = import_text({file_of("papi.PAPI_SP_OPS", "", "[ 3, 1 ], [ 4, 1 ]"), "f"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->regions.at(0).flops->total(Precision::fp32), 7U);
  const auto one =
      import_text({file_of("papi.PAPI_SP_OPS", "", "[ 3, 1 ], [ null, 1 ], [ 2, 0 ]"), "f"});
  ASSERT_TRUE(one);
  EXPECT_EQ(find_region(*one, "a")->flops->total(), 2U);
  EXPECT_FALSE(find_region(*one, "b")->flops);
}

TEST(Caliper, RegionsOfOneNameCarryTheirPath) {
  const auto imported =
      import_text({file_of("region.count", "", "[ 3, 1 ], [ 4, 2 ]",
                           R"({"label": "a"}, {"label": "x", "parent": 0}, {"label": "x"})"),
                   "f"});
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->regions.at(0).name, "a/x");
  EXPECT_EQ(imported->regions.at(1).name, "x");
}

TEST(Caliper, BrokenFilesGiveFileLineAndReason) {
  EXPECT_THAT(refusal(file_of("time", "", "\n[ 5 ]")),
              AllOf(HasSubstr("f.txt:2:"), HasSubstr("columns")));
  EXPECT_THAT(refusal(file_of("region.count", "", "[ 5, 9 ]")), HasSubstr("no node"));
  EXPECT_THAT(refusal(file_of("region.count", "", "[ -5, 0 ]")), HasSubstr("negative"));
  EXPECT_THAT(refusal(file_of("region.count", "", "[ \"x\", 0 ]")), HasSubstr("number"));
  EXPECT_THAT(refusal(file_of("region.count", "", "[ 5, 0 ]", R"({"label": "a", "parent": 0})")),
              HasSubstr("parent"));
  EXPECT_THAT(refusal(R"({"data": [], "columns": ["time"], "column_metadata": [], "nodes": []})"),
              HasSubstr("metadata"));
  EXPECT_THAT(refusal(R"({"data": [], "columns": ["time"], "column_metadata": [{"is_value": true}],
                          "nodes": []})"),
              HasSubstr("regions"));
  EXPECT_THAT(refusal(R"({"data": [ [ 1, )"), HasSubstr("f.txt:1:"));
}

}  // namespace
}  // namespace ridge::imports
