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

/// A mean over processes is no sum, nor is what the slowest of them took in a region and inside.
TEST(Caliper, OtherAggregatesAreNotTaken) {
  for (const std::string_view title :
       {"avg#papi.PAPI_DP_OPS", "max#sum#papi.PAPI_DP_OPS", "max#inclusive#sum#time.duration.ns"}) {
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

/// main 10 s, of it sweep 6 s, of that reduce 1.5 s, and another reduce of 2.5 s.
constexpr std::string_view kNested =
    R"({"label": "main"}, {"label": "sweep", "parent": 0}, {"label": "reduce", "parent": 1},
       {"label": "again", "parent": 0})";

TEST(Caliper, OfAnInclusiveTimeTheRegionHasWhatRegionsInsideLeave) {
  for (const std::string_view title :
       {"inclusive#sum#time.duration.ns", "time (inc)", "sum#inclusive#sum#time.duration.ns"}) {
    const auto imported =
        import_text({file_of(title, R"(, "attribute.unit": "sec")",
                             "[ 10, 0 ], [ 6, 1 ], [ 1.5, 2 ], [ 2.5, 3 ]", kNested),
                     "f"});
    ASSERT_TRUE(imported) << imported.error().message;
    const auto times = [&](std::string_view name) {
      const SelfAndInclusive& time = find_region(*imported, name)->time_seconds;
      return std::pair(time.self->value.value(), time.inclusive->value.value());
    };
    EXPECT_EQ(times("main"), std::pair(1.5, 10.0)) << title;
    EXPECT_EQ(times("sweep"), std::pair(4.5, 6.0)) << title;
    EXPECT_EQ(times("reduce"), std::pair(1.5, 1.5)) << title;
    EXPECT_EQ(times("again"), std::pair(2.5, 2.5)) << title;
  }
}

TEST(Caliper, OfInclusiveWorkTheRegionHasWhatRegionsInsideLeave) {
  const auto imported =
      import_text({file_of("inclusive#papi.PAPI_DP_OPS", "", "[ 100, 0 ], [ 40, 2 ], [ 25, 3 ]",
                           kNested),  // none of sweep itself
                   "f"});
  ASSERT_TRUE(imported);
  EXPECT_EQ(find_region(*imported, "main")->flops->total(), 35U);
  EXPECT_EQ(find_region(*imported, "reduce")->flops->total(), 40U);
}

TEST(Caliper, WithoutOneInclusiveFigureTheRegionAroundHasNoneOfItsOwn) {
  const auto imported = import_text(
      {file_of("inclusive#papi.PAPI_DP_OPS", "", "[ 100, 0 ], [ null, 1 ], [ 10, 2 ]", kNested),
       "f"});
  ASSERT_TRUE(imported);
  EXPECT_FALSE(find_region(*imported, "main")->flops);
  EXPECT_FALSE(find_region(*imported, "sweep")->flops);
  EXPECT_EQ(find_region(*imported, "reduce")->flops->total(), 10U);
}

TEST(Caliper, OneProcessHasNoPartInWhatAnotherDidInside) {
  const auto imported = import_text({R"json({"data": [ [ 0, 5, 0 ], [ 0, 2, 1 ], [ 1, 6, 0 ] ],
      "columns": ["mpi.rank", "time (inc)", "path"],
      "column_metadata": [{"is_value": true}, {"is_value": true, "attribute.unit": "sec"},
                          {"is_value": false}],
      "nodes": [{"label": "a"}, {"label": "b", "parent": 0}]})json",
                                     "f"});
  ASSERT_TRUE(imported) << imported.error().message;
  const SelfAndInclusive& time = find_region(*imported, "a")->time_seconds;
  EXPECT_EQ(time.self->value.value(), 6.0);  // of rank 1; rank 0 has 5 - 2
  EXPECT_EQ(time.inclusive->value.value(), 6.0);
}

TEST(Caliper, AnExclusiveColumnCountsBesideAnInclusiveOne) {
  const auto imported = import_text({R"json({"data": [ [ 1, 4, 0 ], [ 3, 3, 1 ] ],
      "columns": ["time (exc)", "time (inc)", "path"],
      "column_metadata": [{"is_value": true, "attribute.unit": "sec"},
                          {"is_value": true, "attribute.unit": "sec"}, {"is_value": false}],
      "nodes": [{"label": "a"}, {"label": "b", "parent": 0}]})json",
                                     "f"});
  ASSERT_TRUE(imported) << imported.error().message;
  const SelfAndInclusive& time = find_region(*imported, "a")->time_seconds;
  EXPECT_EQ(time.self->value.value(), 1.0);
  EXPECT_EQ(time.inclusive->value.value(), 4.0);
}

TEST(Caliper, RegionsInsideCannotHaveMoreThanTheRegionAround) {
  const std::string_view unit = R"(, "attribute.unit": "sec")";
  EXPECT_THAT(refusal(file_of("time (inc)", unit, "[ 1, 0 ], [ 2, 1 ]")),
              AllOf(HasSubstr("\"a\""), HasSubstr("inclusive")));
  const auto rounded =
      import_text({file_of("time (inc)", unit, "[ 1.000000, 0 ], [ 1.000001, 1 ]"), "f"});
  ASSERT_TRUE(rounded);
  EXPECT_EQ(rounded->regions.at(0).time_seconds.self->value.value(), 0.0);
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
