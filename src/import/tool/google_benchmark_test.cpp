#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"
#include "import/importer.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kIterations = 269919;

TEST(GoogleBenchmark, RatesTimesTimeAreWhatTheBenchmarkDid) {
  const Imported imported = import_file("google_benchmark.json");
  ASSERT_EQ(imported.regions.size(), 2U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.name, "triad/1000");
  EXPECT_EQ(region.function, "triad");
  // 1000 elements of 24 bytes and 2 flop each, for each iteration.
  EXPECT_NEAR(static_cast<double>(region.traffic.at("L1").read), 24000 * kIterations,
              1e-9 * 24000 * kIterations);
  EXPECT_NEAR(static_cast<double>(known_work(region).total()), 2000 * kIterations,
              1e-9 * 2000 * kIterations);
  EXPECT_EQ(region.entries, 269919U);
  EXPECT_TRUE(has_note(region.notes, "items"));
  EXPECT_FALSE(has_note(imported.notes, "not-used"));
  EXPECT_NEAR(region.time_seconds.self->value.value(), 343.14877796595147e-9 * kIterations, 1e-12);
  EXPECT_NEAR(region.cpu_seconds.self->value.value(), 259.56484723194734e-9 * kIterations, 1e-12);
}

TEST(GoogleBenchmark, RatesOverRealTimeWhereTheNameSaysSo) {
  const Imported imported = import_file("google_benchmark.json");
  const Region& region = imported.regions[1];
  EXPECT_EQ(region.name, "triad/100000/real_time");
  EXPECT_NEAR(static_cast<double>(region.traffic.at("L1").read), 2.4e6 * 1995, 1e-6 * 2.4e6 * 1995);
  EXPECT_NEAR(region.time_seconds.self->value.value(), 27.748529323263508e-6 * 1995, 1e-12);
}

TEST(GoogleBenchmark, WhatItsAuthorCountsIsModelled) {
  const Imported imported = import_file("google_benchmark.json");
  EXPECT_EQ(imported.origins,
            (Origins{Origin::modelled, Origin::modelled, Origin::modelled, Origin::measured}));
  EXPECT_EQ(imported.date, "2026-11-23T22:12:49+00:00");
  EXPECT_FALSE(imported.version);
}

TEST(GoogleBenchmark, RepetitionsGiveMedianAndSpread) {
  const Imported imported =
      import_text({R"({"context": {"library_version": "v1.8.0"}, "benchmarks": [
    {"name": "f", "run_name": "f", "run_type": "iteration", "iterations": 10, "real_time": 3, "cpu_time": 3, "time_unit": "s"},
    {"name": "f", "run_name": "f", "run_type": "iteration", "iterations": 10, "real_time": 1, "cpu_time": 1, "time_unit": "s"},
    {"name": "f", "run_name": "f", "run_type": "iteration", "iterations": 10, "real_time": 2, "cpu_time": 2, "time_unit": "s"},
    {"name": "f_stddev", "run_name": "f", "run_type": "aggregate", "aggregate_name": "stddev", "iterations": 3,
     "real_time": 1, "cpu_time": 1, "time_unit": "s"}]})",
                   "x.json"})
          .value();
  ASSERT_EQ(imported.regions.size(), 1U);
  const SampledTime& time = *imported.regions[0].time_seconds.self;
  EXPECT_DOUBLE_EQ(time.value.value(), 20.0);
  EXPECT_DOUBLE_EQ(time.low.value(), 12.0);  // 1.2 s, type 7, times 10
  EXPECT_DOUBLE_EQ(time.high.value(), 28.0);
  EXPECT_EQ(time.samples, 0U) << "measured, not sampled";
  EXPECT_TRUE(has_note(imported.regions[0].notes, "repetitions"));
  EXPECT_EQ(imported.version, "v1.8.0");
}

TEST(GoogleBenchmark, AggregatesAloneAreOfOneIteration) {
  const Imported imported = import_file("google_benchmark_aggregates.json");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_FALSE(region.entries);
  EXPECT_DOUBLE_EQ(region.time_seconds.self->value.value(), 309.11084029014586e-9);
  EXPECT_NEAR(region.time_seconds.self->high.value(),
              (309.11084029014586 + 1.2816 * 28.103963589840657) * 1e-9, 1e-15);
  EXPECT_TRUE(has_note(region.notes, "one-iteration"));
  EXPECT_EQ(region.traffic.at("L1").read, 24000U);
}

TEST(GoogleBenchmark, AFailedBenchmarkHasNoFigures) {
  const Imported imported = import_text({R"({"context": {}, "benchmarks": [
    {"name": "bad", "run_type": "iteration", "error_occurred": true, "error_message": "no GPU", "iterations": 0,
     "real_time": 0, "cpu_time": 0, "time_unit": "ns"},
    {"name": "good", "run_type": "iteration", "iterations": 1, "real_time": 5, "cpu_time": 5, "time_unit": "ms", "Odd": 3}]})",
                                         "x.json"})
                                .value();
  ASSERT_EQ(imported.regions.size(), 1U);
  EXPECT_EQ(imported.regions[0].name, "good");
  EXPECT_FALSE(imported.regions[0].flops);
  EXPECT_TRUE(imported.regions[0].traffic.empty());
  EXPECT_TRUE(has_note(imported.notes, "benchmark-failed"));
  EXPECT_TRUE(has_note(imported.notes, "not-used"));
}

TEST(GoogleBenchmark, BrokenFilesGiveFileLineAndReason) {
  const auto of_entry = [](std::string_view members) {
    return refusal(
        "{\"context\": {},\n\"benchmarks\": [\n{\"name\": \"f\", " + std::string(members) + "}]}",
        "google-benchmark");
  };
  EXPECT_THAT(of_entry(R"("iterations": 1, "real_time": 1, "cpu_time": 1, "time_unit": "m")"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("\"m\"")));
  EXPECT_THAT(of_entry(R"("iterations": -1, "real_time": 1, "cpu_time": 1, "time_unit": "s")"),
              HasSubstr("f.txt:3:"));
  EXPECT_THAT(of_entry(R"("iterations": 1e308, "real_time": 1, "cpu_time": 9, "time_unit": "s")"),
              AllOf(HasSubstr("f.txt:3:"), HasSubstr("no run can take")));
  EXPECT_THAT(of_entry(R"("real_time": 1, "cpu_time": 1, "time_unit": "s")"),
              HasSubstr("iterations"));
  EXPECT_THAT(refusal("{\"context\": {},\n\"benchmarks\": [", "google-benchmark"),
              HasSubstr("f.txt:2"));
  EXPECT_THAT(refusal("{\"context\": {}, \"benchmarks\": []}", "google-benchmark"),
              HasSubstr("no figure"));
}

}  // namespace
}  // namespace ridge::imports
