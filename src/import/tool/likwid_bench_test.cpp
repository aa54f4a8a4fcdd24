#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/files_for_tests.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;

TEST(LikwidBench, ARealRunOfATriad) {
  const Imported imported = import_file("likwid_bench.txt");
  ASSERT_EQ(imported.regions.size(), 1U);
  const Region& region = imported.regions[0];
  EXPECT_EQ(region.name, "triad_avx");
  EXPECT_EQ(region.threads, 1U);
  // a = b + c * d: 2 flop, three loads and a store of 8 bytes.
  const Traffic& traffic = region.traffic.at("L1");
  EXPECT_EQ(traffic.read, 3 * traffic.written);
  EXPECT_EQ(known_work(region).total() * 16, traffic.total());
  EXPECT_EQ(traffic.total(), 2000U * 32U * region.entries.value());
  EXPECT_GT(region.time_seconds.self->value.value(), 0.0);
  EXPECT_EQ(imported.origins.flops, Origin::modelled);
  EXPECT_EQ(imported.origins.time, Origin::measured);
}

constexpr std::string_view kHead = "LIKWID MICRO BENCHMARK\nTest: ddot_sp\n";

TEST(LikwidBench, SinglePrecisionAndOlderVersions) {
  const auto imported =
      import_text({std::string(kHead) + "Using 4 threads\nTime:\t\t2.0e+00 sec\nNumber of "
                                        "Flops:\t100\nData volume (Byte):\t800\n",
                   "f"});
  ASSERT_TRUE(imported);
  const Region& region = imported->regions[0];
  EXPECT_EQ(region.threads, 4U);
  EXPECT_EQ(region.flops->total(Precision::fp32), 100U);
  EXPECT_EQ(region.traffic.at("L1"), (Traffic{800, 0}));
  EXPECT_TRUE(has_note(region.notes, "direction-unknown"));
  EXPECT_FALSE(region.bytes_loaded);
}

TEST(LikwidBench, BrokenFilesGiveFileLineAndReason) {
  EXPECT_THAT(refusal(std::string(kHead) + "Time: x sec\n"), HasSubstr("f.txt:3:"));
  EXPECT_THAT(refusal(std::string(kHead) + "Time: 1 sec\nTime: 2 sec\n"), HasSubstr("twice"));
  EXPECT_THAT(refusal(std::string(kHead) + "Time: 1 sec\nNumber of Flops: 1e300\n"),
              HasSubstr("count"));
  EXPECT_THAT(refusal(kHead), HasSubstr("ends without"));
}

}  // namespace
}  // namespace ridge::imports
