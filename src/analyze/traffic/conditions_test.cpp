#include "analyze/traffic/conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/machines_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_machines::usual;
using testing_machines::with_victim;
using testing_programs::nest;

std::vector<ReuseCondition> conditions(const std::string& function,
                                       const Polynomial::Values& values, const Machine& machine,
                                       unsigned cores = 1) {
  auto found = reuse_conditions(nest("stencils.c", function), values, machine, cores);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<ReuseCondition>();
}

/// Bytes per iteration across each boundary: read, written, read, written ...
std::vector<double> traffic(const std::string& function, const Polynomial::Values& values,
                            const Machine& machine, unsigned cores = 1) {
  const auto found = traffic_by_conditions(nest("stencils.c", function), values, machine, cores);
  EXPECT_TRUE(found) << found.error().message;
  std::vector<double> bytes;
  for (const CrossingTraffic& crossing :
       found ? found->crossings : std::vector<CrossingTraffic>()) {
    bytes.push_back(crossing.read);
    bytes.push_back(crossing.written);
  }
  return bytes;
}

const ReuseCondition* first_of(const std::vector<ReuseCondition>& all, Level level) {
  for (const ReuseCondition& condition : all) {
    if (condition.level == level && condition.holds) {
      return &condition;
    }
  }
  return nullptr;
}

TEST(Conditions, SayTheSizeUpToWhichTheyHold) {
  const auto all = conditions("five_points", {{"N", 1000}, {"M", 5000}}, usual());
  const ReuseCondition* held = first_of(all, Level::L1);
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(held->condition, "32*N - 16 <= 32768");
  EXPECT_EQ(held->symbol, "N");
  EXPECT_EQ(held->up_to, 1024);
  EXPECT_EQ(held->hits, 3U);
  EXPECT_EQ(held->misses, 2U);
  EXPECT_EQ(all.back().condition, "");
  EXPECT_TRUE(all.back().holds);
  EXPECT_EQ(all.back().level, Level::L3);
}

TEST(Conditions, CoresDivideWhatTheyShare) {
  const Polynomial::Values values{{"N", 300}, {"M", 400}};
  EXPECT_EQ(first_of(conditions("seven_points", values, usual(), 1), Level::L3)->condition,
            "32*N^2 - 16*N <= 20971520");
  EXPECT_EQ(first_of(conditions("seven_points", values, usual(), 8), Level::L3)->condition,
            "48*N - 32 <= 2621440");
  EXPECT_EQ(first_of(conditions("seven_points", values, usual(), 64), Level::L3)->condition,
            "48*N - 32 <= 2621440");
}

TEST(Conditions, TrafficFollowsTheFirstThatHolds) {
  EXPECT_THAT(traffic("five_points", {{"N", 1100}, {"M", 5000}}, usual()),
              ElementsAre(32.0, 8.0, 16.0, 8.0, 16.0, 8.0));
  EXPECT_THAT(traffic("triad", {{"N", 1'000'000}}, usual()),
              ElementsAre(24.0, 8.0, 24.0, 8.0, 24.0, 8.0));
  EXPECT_THAT(traffic("scalar_product", {{"N", 10'000}}, usual()),
              ElementsAre(16.0, 0.0, 0.0, 0.0, 0.0, 0.0));
}

TEST(Conditions, AVictimCacheTakesCleanLinesAndAddsToTheOneBefore) {
  EXPECT_THAT(traffic("five_points", {{"N", 9000}, {"M", 4000}}, with_victim()),
              ElementsAre(32.0, 8.0, 16.0, 16.0, 16.0, 8.0));
  const auto all = conditions("seven_points", {{"N", 100}, {"M", 200}}, with_victim());
  EXPECT_EQ(first_of(all, Level::L3)->condition, "32*N^2 - 16*N <= 17301504");  // 16.5 MiB
}

TEST(Conditions, StoresThatDoNotAllocateReadNothing) {
  Machine machine = usual();
  machine.caches[0].write_allocate = WriteAllocate::never;
  EXPECT_THAT(traffic("triad", {{"N", 1'000'000}}, machine),
              ElementsAre(16.0, 8.0, 24.0, 8.0, 24.0, 8.0));
  machine.caches[1].write_allocate = WriteAllocate::never;
  machine.caches[2].write_allocate = WriteAllocate::never;
  EXPECT_THAT(traffic("triad", {{"N", 1'000'000}}, machine),
              ElementsAre(16.0, 8.0, 16.0, 8.0, 16.0, 8.0));
  EXPECT_THAT(traffic("update", {{"N", 10'000'000}}, machine),
              ElementsAre(8.0, 8.0, 8.0, 8.0, 8.0, 8.0));  // they have been read
}

TEST(Conditions, UnknownAddressesLeaveTheTrafficUnknown) {
  const auto found = traffic_by_conditions(
      nest("loops.c", "spmv"), {{"n", 10}, {"row[r]", 0}, {"row[r + 1]", 30}}, usual(), 1);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->crossings.empty());
  ASSERT_EQ(found->notes.size(), 1U);
  EXPECT_EQ(found->notes[0].code, "unknown-addresses");
  EXPECT_THAT(found->notes[0].text, HasSubstr("x[col[...]]"));
}

}  // namespace
}  // namespace ridge::analyze
