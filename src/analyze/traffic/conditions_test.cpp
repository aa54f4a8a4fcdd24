#include "analyze/traffic/conditions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/machines_for_tests.hpp"
#include "analyze/traffic/simulation.hpp"

namespace ridge::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_machines::usual;
using testing_machines::with_victim;
using testing_programs::nest;

/// Of stencils.c, or "reference.c:matvec".
LoopNest kernel(const std::string& name) {
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? nest("stencils.c", name)
                                    : nest(name.substr(0, colon), name.substr(colon + 1));
}

std::vector<ReuseCondition> conditions(const std::string& function,
                                       const Polynomial::Values& values, const Machine& machine,
                                       unsigned cores = 1) {
  auto found = reuse_conditions(kernel(function), values, machine, cores);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<ReuseCondition>();
}

/// Bytes per iteration across each boundary: read, written, read, written ...
std::vector<double> traffic(const std::string& function, const Polynomial::Values& values,
                            const Machine& machine, unsigned cores = 1) {
  const auto found = traffic_by_conditions(kernel(function), values, machine, cores);
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
  EXPECT_EQ(held->condition, "32*N - 16 <= 32 KiB");
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
            "32*N^2 - 16*N <= 20 MiB");
  EXPECT_EQ(first_of(conditions("seven_points", values, usual(), 8), Level::L3)->condition,
            "48*N - 32 <= 2.5 MiB");
  EXPECT_EQ(first_of(conditions("seven_points", values, usual(), 64), Level::L3)->condition,
            "48*N - 32 <= 2.5 MiB");
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
  EXPECT_EQ(first_of(all, Level::L3)->condition, "32*N^2 - 16*N <= 16.5 MiB");  // 16.5 MiB
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

TEST(Conditions, ElementsAndStridesHaveTheirOwnBytes) {
  const Polynomial::Values values{{"N", 1'000'000}};
  EXPECT_EQ(traffic("reference.c:mixed", values, usual())[0], 14.0);            // 8 + 4 + 2
  EXPECT_EQ(traffic("reference.c:every_second", values, usual())[0], 24.0);     // 8 + 16
  EXPECT_EQ(traffic("reference.c:every_sixteenth", values, usual())[0], 72.0);  // 8 + a line
  EXPECT_EQ(traffic("reference.c:downwards_copy", values, usual())[0], 16.0);
}

TEST(Conditions, OuterLoopsComeBackToAVector) {
  const Polynomial::Values values{{"N", 10'000}, {"M", 4000}};
  const auto all = conditions("reference.c:matvec", values, usual());
  const ReuseCondition* l1 = first_of(all, Level::L1);
  const ReuseCondition* l2 = first_of(all, Level::L2);
  ASSERT_TRUE(l1 != nullptr && l2 != nullptr);
  EXPECT_EQ(l1->misses, 2U);  // A and x
  EXPECT_EQ(l2->condition, "16*M <= 256 KiB");
  EXPECT_EQ(l2->up_to, 16384);
  EXPECT_EQ(l2->misses, 1U);
  const auto bytes = traffic("reference.c:matvec", values, usual());
  EXPECT_NEAR(bytes[0], 16.0, 0.05);
  EXPECT_NEAR(bytes[2], 8.0, 0.05);
}

TEST(Conditions, AWalkDownColumnsComesBackToItsLines) {
  const Polynomial::Values values{{"N", 1000}, {"M", 1000}};
  const auto all = conditions("reference.c:matvec_by_columns", values, usual());
  EXPECT_EQ(first_of(all, Level::L2)->condition, "80*N <= 256 KiB");
  const auto bytes = traffic("reference.c:matvec_by_columns", values, usual());
  EXPECT_NEAR(bytes[0], 80.0, 0.1);  // a line, and two elements
  EXPECT_NEAR(bytes[1], 8.0, 0.1);
  EXPECT_NEAR(bytes[2], 8.0, 0.1);
  EXPECT_NEAR(bytes[3], 0.0, 0.1);
}

TEST(Conditions, AProductOfMatricesHoldsARowThenAMatrix) {
  const Polynomial::Values values{{"N", 1000}};
  const auto all = conditions("reference.c:matmul", values, usual());
  EXPECT_EQ(first_of(all, Level::L2)->condition, "72*N <= 256 KiB");
  EXPECT_EQ(first_of(all, Level::L3)->condition, "8*N^2 + 16*N <= 20 MiB");
  const auto bytes = traffic("reference.c:matmul", values, usual());
  EXPECT_NEAR(bytes[0], 72.0, 0.2);
  EXPECT_NEAR(bytes[2], 8.0, 0.1);
  EXPECT_NEAR(bytes[4], 0.0, 0.1);
}

TEST(Conditions, AgreeWithTheSimulationAwayFromTheirLimits) {
  struct Case {
    const char* kernel;
    Polynomial::Values values;
  };
  const Machine machine = testing_machines::with(
      {testing_machines::cache(Level::L1, 8, 8), testing_machines::cache(Level::L2, 64, 8)});
  for (const Case& each :
       {Case{"reference.c:matvec", {{"N", 300}, {"M", 3000}}},
        Case{"reference.c:matvec", {{"N", 3000}, {"M", 300}}},
        Case{"reference.c:matvec_by_columns", {{"N", 300}, {"M", 1001}}},
        Case{"reference.c:matmul_ikj", {{"N", 150}}}, Case{"reference.c:mixed", {{"N", 50'000}}},
        Case{"reference.c:every_second", {{"N", 50'000}}},
        Case{"reference.c:downwards_copy", {{"N", 50'000}}},
        Case{"five_points", {{"N", 1000}, {"M", 300}}},
        Case{"seven_points", {{"N", 130}, {"M", 30}}}}) {
    SCOPED_TRACE(each.kernel);
    const auto simulated = traffic_by_simulation(kernel(each.kernel), each.values, machine, 1);
    ASSERT_TRUE(simulated) << simulated.error().message;
    const auto bytes = traffic(each.kernel, each.values, machine);
    for (std::size_t i = 0; i < simulated->crossings.size(); ++i) {
      const double read = simulated->crossings[i].read;
      EXPECT_NEAR(bytes[2 * i], read, 0.05 * read + 0.2) << i;
      EXPECT_NEAR(bytes[2 * i + 1], simulated->crossings[i].written, 0.5) << i;
    }
  }
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
