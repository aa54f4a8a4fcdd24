#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Miniperf, LoopsOfTheTable) {
  const Imported imported = import_file("miniperf.json");
  ASSERT_EQ(imported.regions.size(), 2U);
  const Region& triad = imported.regions[0];
  EXPECT_EQ(triad.function, "triad");
  EXPECT_EQ(triad.file, "stream.c");
  EXPECT_EQ(triad.line, 21U);
  EXPECT_EQ(triad.flops->total(), 4000000U);
  EXPECT_EQ(triad.bytes_loaded, 32000000U);
  EXPECT_EQ(triad.traffic.at("L1"), (Traffic{32000000, 16000000}));
  EXPECT_EQ(triad.traffic.at("DRAM"), (Traffic{16000000, 8000000}));
  EXPECT_EQ(imported.origins.traffic, Origin::simulated);
  EXPECT_EQ(triad.traffic_origins.at(Level::L1), Origin::counted);
  EXPECT_TRUE(has_note(triad.notes, "counts-differ"));
}

/// A 95 % interval of 9.8 % to either side is one of 80 % of 6.4 %: 1.2816 / 1.96 of it.
TEST(Miniperf, TheTimeHasItsInterval) {
  const Imported imported = import_file("miniperf.json");
  const SampledTime& time = *imported.regions.at(0).time_seconds.self;
  EXPECT_DOUBLE_EQ(time.value.value(), 0.5);
  EXPECT_NEAR(time.low.value(), 0.5 * (1.0 - 0.06408), 1e-6);
  EXPECT_NEAR(time.high.value(), 0.5 * (1.0 + 0.06408), 1e-6);
  EXPECT_FALSE(imported.regions.at(1).time_seconds.self);
  EXPECT_FALSE(imported.regions.at(1).file);
  EXPECT_EQ(imported.regions.at(1).flops->total(Precision::fp32), 20U);
}

TEST(Miniperf, TotalsNameMemoryAsDram) {
  const Imported imported = import_file("miniperf_totals.txt");
  const Region& program = imported.regions.at(0);
  EXPECT_EQ(program.kind, RegionKind::program);
  EXPECT_EQ(program.flops->total(Precision::fp64), 100U);
  EXPECT_EQ(program.flops->total(Precision::fp32), 50U);
  EXPECT_EQ(program.bytes_loaded, 640U);
  EXPECT_EQ(program.traffic.at("DRAM"), (Traffic{128, 64}));
  EXPECT_FALSE(program.time_seconds.self);
}

TEST(Miniperf, BrokenFilesGiveFileLineAndReason) {
  const std::string table = text_of("miniperf.json");
  std::string cut = table;
  cut.replace(cut.find("\"truncated\": false"), 18, "\"truncated\": true");
  EXPECT_THAT(refusal(cut), HasSubstr("cut"));
  std::string view = table;
  view.insert(view.find("\"function_name\": \"triad\""), "\"scalar_double_ai\": 0.5, ");
  EXPECT_THAT(refusal(view), AllOf(HasSubstr("rows[0]"), HasSubstr("roofline")));
  EXPECT_THAT(refusal(std::string_view(table).substr(0, table.size() / 2), "miniperf"),
              HasSubstr("f.txt:"));

  const std::string totals = text_of("miniperf_totals.txt");
  EXPECT_THAT(refusal(std::string_view(totals).substr(0, totals.size() - 40)),
              HasSubstr("f.txt:12:"));
  std::string unclassified = totals;
  unclassified.replace(unclassified.find("unclassified_instructions=0"), 27,
                       "unclassified_instructions=3");
  EXPECT_THAT(refusal(unclassified), HasSubstr("unclassified_instructions"));
  EXPECT_THAT(refusal("scalar_int_ops=1\nscalar_int_ops=1\n"), HasSubstr("twice"));
  EXPECT_THAT(refusal("scalar_int_ops=1\nhello\n"), HasSubstr("f.txt:2:"));
}

TEST(Miniperf, CountsOfUnknownInstructionsAreLeftOut) {
  std::string table = text_of("miniperf.json");
  table.replace(table.find("advisor-grade"), 13, "unclassified-instructions");
  const auto imported = import_text({table, "f"});
  ASSERT_TRUE(imported);
  EXPECT_FALSE(imported->regions.at(0).flops);
  EXPECT_TRUE(has_note(imported->regions.at(0).notes, "unclassified"));
}

}  // namespace
}  // namespace ridge::imports
